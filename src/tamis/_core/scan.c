/* The columns of a page from its serialization: one pass over its characters, without a Python object per node.
 *
 * The parser's serialization of a document is canonical. Every tag is explicit, attributes are quoted, `&`, `<`, `>`,
 * `"` and the no-break space are character references, and raw text is verbatim. So it can be read without the rules of
 * HTML parsing. Where an end tag is not that of the open element, the scanner gives up and the caller walks over the
 * parser's nodes instead (`walk` in columns.py, which is also the reference of what is computed here).
 *
 * This file includes itself three times, for characters of one, two and four bytes.
 */

#ifndef UNIT

#include "scan.h"

#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { OTHER_ROW = 0, ELEMENT_ROW = 1, TEXT_ROW = 2 };

#define SEED 0xCBF29CE484222325ULL
#define PRIME 0x100000001B3ULL

static int find_name(const struct names *names, unsigned long long key) {
    int slot = (int)(key >> 32) & names->mask;
    while (names->keys[slot] && names->keys[slot] != key) slot = (slot + 1) & names->mask;
    return names->keys[slot] ? names->values[slot] : 0;
}

/* Make room for one more item of `size` bytes; return 0 without memory. */
static int reserve(void **items, ptrdiff_t count, ptrdiff_t *space, size_t size) {
    if (count < *space) return 1;
    ptrdiff_t more = *space ? 2 * *space : 1024;
    void *grown = realloc(*items, (size_t)more * size);
    if (!grown) return 0;
    *items = grown;
    *space = more;
    return 1;
}

static int add_listed(struct scan *s, int row, int kind, ptrdiff_t start, ptrdiff_t stop) {
    if (!reserve((void **)&s->listed, s->listed_count, &s->listed_space, sizeof *s->listed)) return 0;
    s->listed[s->listed_count++] = (struct attribute){row, kind, (int)start, (int)stop};
    return 1;
}

void scan_free(struct scan *s) {
    free(s->rows);
    free(s->listed);
    free(s->classes);
    free(s->slots);
    free(s->text);
    memset(s, 0, sizeof *s);
}

/* Elements that the standard opens again, and some that begin where it does so. */
static const char *const FORMATTING[] = {"b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u"};
static const char *const BLOCKS[] = {"p", "div", "li", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "dt", "dd",
                                     "blockquote", "center", "pre", "section", "article", "main", "form", "address", "aside"};
enum { FORMATTING_COUNT = sizeof FORMATTING / sizeof *FORMATTING, BLOCK_COUNT = sizeof BLOCKS / sizeof *BLOCKS };
enum { MAX_NAME = 10, MAX_REOPENED = 512, MAX_TAG = 200 };

static int find_word(const char *const *words, int count, const char *name) {
    for (int k = 0; k < count; k++)
        if (words[k][0] == name[0] && !strcmp(words[k], name)) return k;
    return -1;
}

int may_reopen(const unsigned char *markup, ptrdiff_t length, ptrdiff_t max_nodes) {
    const unsigned char *at = markup, *end = markup + length;
    ptrdiff_t depth[FORMATTING_COUNT] = {0}, active = 0, tables = 0, reopened = 0;
    while ((at = memchr(at, '<', (size_t)(end - at)))) {
        at++;
        int is_end = at < end && *at == '/';
        const unsigned char *from = at + is_end;
        if (from == end || (!active && !strchr(is_end ? "t" : "bcefistu", *from | 32))) continue;
        char name[MAX_NAME + 2];
        int size = 0;
        for (; size <= MAX_NAME && from + size < end; size++) {
            int letter = from[size] | 32;
            if (!((letter >= 'a' && letter <= 'z') || (from[size] >= '0' && from[size] <= '9'))) break;
            name[size] = (char)letter;
        }
        name[size] = 0;
        int formatting = find_word(FORMATTING, FORMATTING_COUNT, name);
        if (formatting >= 0) {
            if (from + size == end || !strchr(" \t\n\v\f\r/>", from[size]) || !from[size]) continue;
            if (!is_end) {
                depth[formatting]++;
                active++;
            } else if (depth[formatting]) {
                depth[formatting]--;
                active -= !tables; /* in a cell, elements are closed that are open outside of the table */
            }
        } else if (!strcmp(name, "table")) {
            tables += is_end ? -(tables > 0) : 1;
        } else if (find_word(BLOCKS, BLOCK_COUNT, name) >= 0) {
            reopened += active < MAX_REOPENED ? active : MAX_REOPENED;
            if (reopened > max_nodes) return 1;
        } else {
            continue;
        }
        const unsigned char *limit = end - from > MAX_TAG + size ? from + size + MAX_TAG : end;
        for (at = from + size; at < limit && *at != '>'; at++) {
        }
    }
    return 0;
}

int may_reopen_text(const void *markup, int kind, ptrdiff_t length, ptrdiff_t max_nodes) {
    if (kind == 1) return may_reopen(markup, length, max_nodes); /* no sign of Latin-1 beyond ASCII is a letter of a tag */
    unsigned char *narrow = malloc((size_t)length + 1);
    if (!narrow) return 1;
    for (ptrdiff_t k = 0; k < length; k++) {
        uint32_t sign = kind == 2 ? ((const uint16_t *)markup)[k] : ((const uint32_t *)markup)[k];
        narrow[k] = sign < 128 ? (unsigned char)sign : 128;
    }
    int found = may_reopen(narrow, length, max_nodes);
    free(narrow);
    return found;
}

void release_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

int has_surrogates(const void *text, int kind, ptrdiff_t length) {
    unsigned found = 0;
    if (kind == 2)
        for (ptrdiff_t k = 0; k < length; k++) found |= (((const uint16_t *)text)[k] & 0xF800u) == 0xD800u;
    else if (kind == 4)
        for (ptrdiff_t k = 0; k < length; k++) found |= (((const uint32_t *)text)[k] & 0xFFFFF800u) == 0xD800u;
    return found != 0;
}

/* Return a hash of 31 bits, eight bytes at a time. */
static int hash_bytes(const unsigned char *at, size_t size) {
    unsigned long long hash = SEED ^ size, word;
    for (; size >= 8; at += 8, size -= 8) {
        memcpy(&word, at, 8);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
        hash ^= hash >> 29;
    }
    for (; size; at++, size--) hash = (hash ^ *at) * PRIME;
    return (int)(hash >> 33 ^ hash) & INT32_MAX;
}

static int grow_slots(struct scan *s) {
    ptrdiff_t mask = s->slot_mask ? 2 * s->slot_mask + 1 : 511;
    int *slots = calloc((size_t)mask + 1, sizeof *slots);
    if (!slots) return 0;
    for (ptrdiff_t k = 0; k < s->class_count; k++) {
        ptrdiff_t slot = s->classes[k].kind & mask; /* `kind` has the hash of a class */
        while (slots[slot]) slot = (slot + 1) & mask;
        slots[slot] = (int)k + 1;
    }
    free(s->slots);
    s->slots = slots;
    s->slot_mask = mask;
    return 1;
}

#define UNIT uint8_t
#define NAMED(name) name##_1
#include "scan.c"
#undef UNIT
#undef NAMED
#define UNIT uint16_t
#define NAMED(name) name##_2
#include "scan.c"
#undef UNIT
#undef NAMED
#define UNIT uint32_t
#define NAMED(name) name##_4
#include "scan.c"

int scan_page(const void *source, int kind, ptrdiff_t length, const struct html *html, int *code_rows,
              ptrdiff_t code_count, struct scan *scan) {
    memset(scan, 0, sizeof *scan);
    scan->code_rows = code_rows;
    scan->code_count = code_count;
    if (length > INT32_MAX / 2) return 1;
    return kind == 1 ? read_page_1(source, length, html, scan)
           : kind == 2 ? read_page_2(source, length, html, scan)
                       : read_page_4(source, length, html, scan);
}

ptrdiff_t find_code(const void *markup, int kind, ptrdiff_t length, ptrdiff_t least, ptrdiff_t *places, ptrdiff_t most) {
    return kind == 1   ? find_code_1(markup, length, least, places, most)
           : kind == 2 ? find_code_2(markup, length, least, places, most)
                       : find_code_4(markup, length, least, places, most);
}

ptrdiff_t name_end(const void *source, int kind, ptrdiff_t at) {
    return kind == 1 ? name_end_1(source, at) : kind == 2 ? name_end_2(source, at) : name_end_4(source, at);
}

int next_attribute(const void *source, int kind, ptrdiff_t *at, struct attribute *name, struct attribute *value,
                   unsigned long long *key) {
    return kind == 1   ? next_attribute_1(source, at, name, value, key)
           : kind == 2 ? next_attribute_2(source, at, name, value, key)
                       : next_attribute_4(source, at, name, value, key);
}

void count_text(const void *text, int kind, const int *offset, ptrdiff_t rows, const unsigned char *classes,
                struct counts *counts) {
    if (kind == 1)
        count_text_1(text, offset, rows, classes, counts);
    else if (kind == 2)
        count_text_2(text, offset, rows, classes, counts);
    else
        count_text_4(text, offset, rows, classes, counts);
}

#else

/* Return where a character is first, from a place on; the end if it is nowhere. */
static inline const UNIT *NAMED(find)(const UNIT *at, const UNIT *end, UNIT wanted) {
#if defined(__SSE2__)
    enum { STEP = 16 / sizeof(UNIT) };
    __m128i sign = sizeof(UNIT) == 1   ? _mm_set1_epi8((char)wanted)
                   : sizeof(UNIT) == 2 ? _mm_set1_epi16((short)wanted)
                                       : _mm_set1_epi32((int)wanted);
    for (; end - at >= STEP; at += STEP) {
        __m128i units = _mm_loadu_si128((const __m128i *)at);
        __m128i equal = sizeof(UNIT) == 1   ? _mm_cmpeq_epi8(units, sign)
                        : sizeof(UNIT) == 2 ? _mm_cmpeq_epi16(units, sign)
                                            : _mm_cmpeq_epi32(units, sign);
        int found = _mm_movemask_epi8(equal);
        if (found) return at + __builtin_ctz((unsigned)found) / sizeof(UNIT);
    }
#endif
    while (at < end && *at != wanted) at++;
    return at;
}

/* Return whether there is a lowercase ASCII word at a place, in any case. */
static int NAMED(is_at)(const UNIT *at, const UNIT *end, const char *word) {
    for (; *word; word++, at++) {
        if (at >= end) return 0;
        UNIT unit = *at;
        if (unit >= 'A' && unit <= 'Z') unit |= 32;
        if (unit != (unsigned char)*word) return 0;
    }
    return 1;
}

static int NAMED(contains)(const UNIT *at, const UNIT *end, const char *word) {
    for (; at < end; at++)
        if ((*at | 32) == (unsigned char)*word && NAMED(is_at)(at, end, word)) return 1;
    return 0;
}

/* Return whether there is a formula in a script of this type. */
static int NAMED(is_math_type)(const UNIT *at, const UNIT *end) {
    for (; end - at >= 4; at++)
        if (at[0] == 'm' && at[1] == 'a' && at[2] == 't' && at[3] == 'h') return 1;
    return 0;
}

static int NAMED(ends_name)(const UNIT *at, const UNIT *end) {
    return at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\f' || *at == '\r' || *at == '/' || *at == '>');
}

/* Return where the end tag of a script is: a comment in it may have a script in it, with its end tag. */
static const UNIT *NAMED(find_script_end)(const UNIT *at, const UNIT *end) {
    enum { PLAIN, ESCAPED, TWICE } state = PLAIN;
    for (;;) {
        const UNIT *sign = NAMED(find)(at, end, '<');
        if (state != PLAIN) { /* does the comment end before that? */
            for (const UNIT *dash = at; (dash = NAMED(find)(dash, sign, '>')) < sign; dash++)
                if (dash - at >= 2 && dash[-1] == '-' && dash[-2] == '-') {
                    state = PLAIN;
                    break;
                }
        }
        if (sign >= end) return end;
        at = sign + 1;
        if (state == PLAIN && NAMED(is_at)(sign, end, "<!--")) {
            state = ESCAPED;
            at = sign + 2; /* the dashes that begin a comment may end it */
        } else if (NAMED(is_at)(sign, end, "</script") && NAMED(ends_name)(sign + 8, end)) {
            if (state != TWICE) return sign;
            state = ESCAPED;
        } else if (state == ESCAPED && NAMED(is_at)(sign, end, "<script") && NAMED(ends_name)(sign + 7, end))
            state = TWICE;
    }
}

static int NAMED(is_space)(UNIT unit) {
    return unit == ' ' || unit == '\n' || unit == '\t' || unit == '\r' || unit == '\f';
}

/* Return the place after a tag, from the place after its name; the end if it has no end. */
static const UNIT *NAMED(skip_tag)(const UNIT *at, const UNIT *end, int *closes_itself) {
    for (;;) {
        while (at < end && (NAMED(is_space)(*at) || *at == '/')) at++;
        if (at >= end) return end;
        if (*at == '>') {
            *closes_itself = at[-1] == '/';
            return at + 1;
        }
        at++; /* a name may begin with "=" */
        while (at < end && !NAMED(is_space)(*at) && *at != '/' && *at != '>' && *at != '=') at++;
        while (at < end && NAMED(is_space)(*at)) at++;
        if (at >= end || *at != '=') continue;
        at++;
        while (at < end && NAMED(is_space)(*at)) at++;
        if (at < end && (*at == '"' || *at == '\'')) {
            at = NAMED(find)(at + 1, end, *at);
            at += at < end;
        } else
            while (at < end && !NAMED(is_space)(*at) && *at != '>') at++;
    }
}

/* Return where the end tag of an element is whose text has no tags. */
static const UNIT *NAMED(find_end_tag)(const UNIT *at, const UNIT *end, const char *name) {
    for (; (at = NAMED(find)(at, end, '<')) < end; at++)
        if (end - at > 2 && at[1] == '/' && NAMED(is_at)(at + 2, end, name) && NAMED(ends_name)(at + 2 + strlen(name), end))
            return at;
    return end;
}

/* Return the place after a comment or a declaration that begins at a place; the end if it has none. */
static const UNIT *NAMED(skip_comment)(const UNIT *at, const UNIT *end) {
    const UNIT *first = at + 4;
    if (!NAMED(is_at)(at, end, "<!--")) {
        at = NAMED(find)(at + 2, end, '>');
        return at + (at < end);
    }
    if (first < end && *first == '>') return first + 1;
    if (end - first >= 2 && first[0] == '-' && first[1] == '>') return first + 2;
    for (at = first; (at = NAMED(find)(at, end, '>')) < end; at++)
        if ((at - first >= 2 && at[-1] == '-' && at[-2] == '-') ||
            (at - first >= 3 && at[-1] == '!' && at[-2] == '-' && at[-3] == '-'))
            return at + 1;
    return end;
}

static int NAMED(is_named)(const UNIT *at, const UNIT *end, const char *name) {
    return NAMED(is_at)(at, end, name) && NAMED(ends_name)(at + strlen(name), end);
}

static ptrdiff_t NAMED(find_code)(const UNIT *source, ptrdiff_t length, ptrdiff_t least, ptrdiff_t *places, ptrdiff_t most) {
    static const char *const texts[] = {"script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"};
    enum { SCRIPT, STYLE, TITLE, TEXTS = 8 };
    const UNIT *at = source, *end = source + length;
    ptrdiff_t count = 0, foreign = 0; /* open elements of SVG and MathML, in which all is markup */
    if (NAMED(find)(at, end, CODE_MARK) < end) return 0; /* the page writes marks itself */
    while (count < most && (at = NAMED(find)(at, end, '<')) + 2 < end) {
        switch (at[1] | 32) {
        case '!': /* "|" leaves it as it is */
        case '?':
            if (NAMED(is_at)(at, end, "<![cdata[")) return count; /* text or a comment, as the tree says */
            at = NAMED(skip_comment)(at, end);
            continue;
        case '/':
            foreign -= foreign && (NAMED(is_named)(at + 2, end, "svg") || NAMED(is_named)(at + 2, end, "math"));
            at += 2;
            continue;
        case 'm':
        case 's':
        case 't':
        case 'x':
        case 'i':
        case 'n':
        case 'p': break;
        default: at += 2; continue; /* what its attributes say is found to be no code, if need be */
        }
        int closes_itself = 0, text = 0;
        const UNIT *name = at + 1;
        while (text < TEXTS && !NAMED(is_named)(name, end, texts[text])) text++;
        int is_foreign = text == TEXTS && (NAMED(is_named)(name, end, "svg") || NAMED(is_named)(name, end, "math"));
        at += 2;
        if (text == TEXTS && !is_foreign) {
            if (NAMED(is_named)(name, end, "plaintext")) return count;
            continue;
        }
        while (!NAMED(ends_name)(at, end)) at++;
        at = NAMED(skip_tag)(at, end, &closes_itself);
        foreign += is_foreign && !closes_itself;
        if (foreign || is_foreign || at >= end) continue;
        const UNIT *stop = text == SCRIPT ? NAMED(find_script_end)(at, end) : NAMED(find_end_tag)(at, end, texts[text]);
        if (stop >= end) break;
        if (text < TITLE && stop - at >= least) {
            places[2 * count] = at - source;
            places[2 * count++ + 1] = stop - source;
        }
        at = stop;
    }
    return count;
}

/* Note that a piece of code that was set aside belongs to a text row, which is its mark and nothing else. */
static void NAMED(note_code)(struct scan *s, const UNIT *at, const UNIT *stop, int row) {
    ptrdiff_t number = 0;
    for (at++; at < stop && *at >= '0' && *at <= '9' && number < s->code_count; at++) number = 10 * number + *at - '0';
    if (at < stop || number >= s->code_count || s->code_rows[number]) return;
    s->code_rows[number] = row;
    s->code_found++;
}

/* Copy text without character references; return how many characters it has. */
static ptrdiff_t NAMED(unescape)(const UNIT *at, const UNIT *end, UNIT *out) {
    UNIT *first = out;
    while (at < end) {
        const UNIT *sign = NAMED(find)(at, end, '&');
        memcpy(out, at, (size_t)(sign - at) * sizeof(UNIT));
        out += sign - at;
        if (sign >= end) break;
        static const struct {
            const char *name;
            int length;
            UNIT unit;
        } references[] = {{"&amp;", 5, '&'}, {"&lt;", 4, '<'}, {"&gt;", 4, '>'}, {"&quot;", 6, '"'}, {"&nbsp;", 6, 0xA0}};
        at = sign + 1;
        *out = '&';
        for (int k = 0; k < 5; k++)
            if (NAMED(is_at)(sign, end, references[k].name)) {
                *out = references[k].unit;
                at = sign + references[k].length;
                break;
            }
        out++;
    }
    return out - first;
}

/* Return the number of a class, from 1; 0 without memory. */
static int NAMED(number_class)(struct scan *s, const UNIT *source, const UNIT *at, const UNIT *end) {
    size_t size = (size_t)(end - at) * sizeof(UNIT);
    int key = hash_bytes((const unsigned char *)at, size);
    if (2 * s->class_count >= s->slot_mask && !grow_slots(s)) return 0;
    ptrdiff_t slot = key & s->slot_mask;
    for (; s->slots[slot]; slot = (slot + 1) & s->slot_mask) {
        struct attribute *known = &s->classes[s->slots[slot] - 1];
        if (known->kind == key && known->stop - known->start == end - at &&
            !memcmp(source + known->start, at, size))
            return s->slots[slot];
    }
    if (!reserve((void **)&s->classes, s->class_count, &s->class_space, sizeof *s->classes)) return 0;
    s->classes[s->class_count] = (struct attribute){0, key, (int)(at - source), (int)(end - source)};
    return s->slots[slot] = (int)++s->class_count;
}

/* Count the characters of each text run; blocks.py has the reference. */
static void NAMED(count_text)(const UNIT *text, const int *offset, ptrdiff_t rows, const unsigned char *classes,
                              struct counts *counts) {
    ptrdiff_t position = 0;
    for (ptrdiff_t row = 0; row < rows; row++) {
        ptrdiff_t stop = offset[row + 1];
        if (stop == position) continue;
        int *by_class = counts->by_class + row * counts->classes;
        int words = 0, nonspace = 0, before = counts->space;
        for (; position < stop; position++) {
            uint32_t code = text[position];
            int own = code < counts->bmp_size                                           ? classes[code]
                      : code >= counts->tags                                            ? counts->other
                      : code >= counts->ideographs                                      ? counts->wide
                      : code >= counts->emoji_first && code <= counts->emoji_last ? counts->symbol
                                                                                        : counts->letter;
            by_class[own]++;
            if (own == counts->symbol)
                for (int k = 0; k < 5; k++) counts->currency_count += code == counts->currencies[k];
            if (own != counts->space) {
                if (!nonspace) counts->first_class[row] = (uint8_t)own;
                nonspace++;
                words += before == counts->space;
                counts->last_class[row] = (uint8_t)own;
            }
            before = own;
        }
        counts->words[row] = words;
        counts->nonspace[row] = nonspace;
        counts->other_count += by_class[counts->other];
    }
}

/* Find the next attribute of a start tag from a place in it; return 0 if there is none. */
static int NAMED(next_attribute)(const UNIT *source, ptrdiff_t *at, struct attribute *name, struct attribute *value,
                                 unsigned long long *key) {
    const UNIT *place = source + *at;
    if (*place != ' ') return 0;
    *key = (SEED ^ *++place) * PRIME;
    name->start = (int)(place++ - source);
    while (*place != '=') *key = (*key ^ *place++) * PRIME;
    name->stop = (int)(place - source);
    value->start = name->stop + 2;
    for (place += 2; *place != '"';) place++;
    value->stop = (int)(place - source);
    *at = place + 1 - source;
    return 1;
}

static ptrdiff_t NAMED(name_end)(const UNIT *source, ptrdiff_t at) {
    while (source[at] != ' ' && source[at] != '>') at++;
    return at;
}

static int NAMED(read_page)(const UNIT *source, ptrdiff_t source_length, const struct html *html, struct scan *s) {
    const UNIT *at = source, *end = source + source_length;
    int above = 0, length = 0, block_edges = 0, joined = 0;
    int run = -1; /* the text row that a text after a comment continues; `joined` is the last row that continued it */
    ptrdiff_t text_space = 0;

/* What continued a text row is empty: its text is that of the row. */
#define END_RUN()                                                             \
    do {                                                                      \
        while (joined > run && run >= 0) s->rows[joined--].offset = length;   \
    } while (0)
#define ADD_ROW(type)                                                                                             \
    do {                                                                                                          \
        if (!reserve((void **)&s->rows, s->row_count, &s->row_space, sizeof *s->rows)) return -1;                 \
        row = (int)s->row_count++;                                                                                \
        own = &s->rows[row];                                                                                      \
        *own = (struct row){.parent = above, .depth = s->rows[above].depth + 1, .offset = length,                 \
                            .block_ancestor = s->rows[above].block_ancestor, .inline_run = block_edges,           \
                            .start = (int)(at - source), .end = row + 1, .node_type = (type),                     \
                            .link = s->rows[above].link, .pre = s->rows[above].pre, .space = s->rows[above].space}; \
    } while (0)

    int row;
    struct row *own;
    if (!reserve((void **)&s->rows, 0, &s->row_space, sizeof *s->rows)) return -1;
    s->rows[s->row_count++] = (struct row){.parent = -1, .end = 1};
    while (at < end) {
        int literal = s->rows[above].flags & IS_LITERAL && !s->rows[above].space;
        if (*at != '<' || literal) {
            const UNIT *stop;
            if (!literal)
                stop = NAMED(find)(at, end, '<');
            else if (s->rows[above].flags & IS_SCRIPT)
                stop = NAMED(find_script_end)(at, end);
            else /* its own end tag is not in it */
                for (stop = NAMED(find)(at, end, '<'); stop < end; stop = NAMED(find)(stop + 1, end, '<')) {
                    const UNIT *name = source + s->rows[above].start + 1, *place = stop + 2;
                    if (stop + 1 >= end || stop[1] != '/') continue;
                    while (place < end && *name == *place && *name != '>' && *name != ' ') name++, place++;
                    if (place < end && *place == '>' && (*name == '>' || *name == ' ')) break;
                }
            if (stop > at) {
                ADD_ROW(TEXT_ROW);
                own->stop = (int)(stop - source);
                own->literal = literal != 0;
                if (s->code_count && literal && *at == CODE_MARK) NAMED(note_code)(s, at, stop, row);
                if (!(s->rows[above].flags & IS_RAW)) {
                    if (run >= 0 && s->rows[run].parent == above)
                        joined = row;
                    else {
                        END_RUN();
                        run = row;
                    }
                    while (text_space < length + (stop - at))
                        if (!reserve(&s->text, text_space, &text_space, sizeof(UNIT))) return -1;
                    UNIT *text = (UNIT *)s->text + length;
                    if (literal) {
                        memcpy(text, at, (size_t)(stop - at) * sizeof(UNIT));
                        length += (int)(stop - at);
                    } else
                        length += (int)NAMED(unescape)(at, stop, text);
                }
                at = stop;
            }
            if (at >= end) break;
        }
        if (at + 1 >= end) return 1;
        if (at[1] == '/') { /* an end tag */
            if (s->rows[above].node_type == OTHER_ROW && above) { /* the fragment of a template */
                s->rows[above].end = (int)s->row_count;
                above = s->rows[above].parent;
            }
            if (!above) return 1;
            own = &s->rows[above];
            const UNIT *name = source + own->start + 1, *place = at + 2;
            while (place < end && *name == *place && *name != '>' && *name != ' ') name++, place++;
            if (place >= end || *place != '>' || (*name != '>' && *name != ' ')) return 1;
            own->end = (int)s->row_count;
            if (own->flags & IS_BLOCK) block_edges++;
            above = own->parent;
            at = place + 1;
            continue;
        }
        if (at[1] == '!' || at[1] == '?') {
            const UNIT *stop;
            if (at[1] == '!' && at + 3 < end && at[2] == '-' && at[3] == '-') {
                for (stop = NAMED(find)(at + 4, end, '>'); stop < end; stop = NAMED(find)(stop + 1, end, '>'))
                    if (stop - at >= 6 && stop[-1] == '-' && stop[-2] == '-') break;
            } else if (at[1] == '?' || (NAMED(is_at)(at, end, "<!doctype") && !above))
                stop = NAMED(find)(at, end, '>');
            else
                return 1; /* CDATA, where the standard has none */
            if (stop >= end) return 1;
            ADD_ROW(OTHER_ROW);
            own->stop = (int)(stop + 1 - source);
            at = stop + 1;
            continue;
        }
        /* A start tag. */
        const UNIT *place = at + 1;
        unsigned long long key = SEED;
        while (place < end && *place != '>' && *place != ' ') key = (key ^ *place++) * PRIME;
        if (place >= end) return 1;
        int found = find_name(&html->tags, key), flags = found >> 8;
        if (flags & IS_PLAINTEXT) return 1;
        ADD_ROW(ELEMENT_ROW);
        own->tag = (uint8_t)found;
        own->flags = flags;
        if (flags & IS_BLOCK) {
            own->block_ancestor = row;
            own->inline_run = ++block_edges;
        }
        int has_href = 0, has_name = 0, is_math = 0, has_html = 0;
        while (place < end && *place == ' ') {
            key = (SEED ^ *++place) * PRIME; /* a name may begin with "=" */
            place++;
            while (place < end && *place != '=') key = (key ^ *place++) * PRIME;
            if (place + 1 >= end || place[1] != '"') return 1;
            const UNIT *value = place + 2, *stop = NAMED(find)(value, end, '"');
            if (stop >= end) return 1;
            int kind = find_name(&html->attributes, key), listed = kind >= KIND_LISTED;
            switch (kind) {
            case 0: break;
            case KIND_CLASS:
                if (!(own->class_id = NAMED(number_class)(s, source, value, stop))) return -1;
                break;
            case KIND_HREF: has_href = 1; break;
            case KIND_NAME: has_name = 1; break;
            case KIND_TYPE: is_math = NAMED(is_math_type)(value, stop); break;
            case KIND_ENCODING:
                has_html = NAMED(is_at)(value, stop, "text/html") || NAMED(is_at)(value, stop, "application/xhtml+xml");
                break;
            case KIND_STYLE:
                listed = NAMED(contains)(value, stop, "none") || NAMED(contains)(value, stop, "visib") ||
                         NAMED(contains)(value, stop, "white-space");
                break;
            case KIND_ARIA: listed = stop - value == 4 && NAMED(is_at)(value, stop, "true"); break;
            default: break;
            }
            if (kind == KIND_LISTED) has_name = 1; /* an id */
            if (listed && !add_listed(s, row, kind, value - source, stop - source)) return -1;
            place = stop + 1;
        }
        if (place >= end || *place != '>') return 1;
        at = place + 1;
        own->stop = (int)(at - source);
        if (flags & IS_LINK && (!(flags & IS_A) || has_href || !has_name)) own->link = 1;
        if (flags & IS_PRE) own->pre = 1;
        if (!(flags & IS_NOTHING) || is_math) { /* a script may be a formula */
            END_RUN();
            run = -1;
        }
        /* The namespace: of the element, from that of its parent and what the parent may contain. */
        int space = own->space, around = s->rows[above].flags;
        if ((space == 1 && around & IS_SVG_TEXT) || (space == 2 && around & IS_MATH_TEXT)) space = 0;
        if (space == 2 && around & IS_ANNOTATION && flags & IS_SVG) space = 0;
        if (has_html && flags & IS_ANNOTATION) own->flags |= IS_MATH_TEXT;
        own->space = (uint8_t)(space ? space : flags & IS_SVG ? 1 : flags & IS_MATH ? 2 : 0);
        if (own->space) own->flags &= ~(IS_VOID | IS_LITERAL | IS_SCRIPT | IS_TEMPLATE | DROPS_LINE_END);
        if (own->flags & IS_VOID) {
            if (flags & IS_BLOCK) block_edges++;
            continue;
        }
        if (own->flags & DROPS_LINE_END && at < end && *at == '\n') at++;
        above = row;
        if (own->flags & IS_TEMPLATE) {
            ADD_ROW(OTHER_ROW);
            above = row;
        }
    }
    if (above) return 1;
    END_RUN();
    s->rows[0].end = (int)s->row_count;
    s->text_length = length;
    return 0;
#undef END_RUN
#undef ADD_ROW
}

#endif
