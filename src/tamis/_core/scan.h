/* From the serialization of a parsed page to its rows; see scan.c. */

#ifndef TAMIS_SCAN_H
#define TAMIS_SCAN_H

#include <stddef.h>
#include <stdint.h>

/* Properties of a tag, one bit each. The first six are those of columns.py. */
enum {
    IS_BLOCK = 1,
    IS_LINK = 2,
    IS_PRE = 4,
    IS_RAW = 8,       /* its text is code for the browser */
    IS_NOTHING = 32,  /* nothing to a reader, between two texts */
    IS_A = 64,
    IS_VOID = 128,    /* has neither content nor an end tag */
    IS_LITERAL = 256, /* its text is written without character references */
    IS_SCRIPT = 512,
    IS_TEMPLATE = 1024,
    DROPS_LINE_END = 2048, /* a line end after its start tag is written twice */
    IS_SVG = 4096,
    IS_MATH = 8192,
    IS_SVG_TEXT = 16384, /* has HTML inside SVG, by its name */
    IS_MATH_TEXT = 32768, /* has HTML inside MathML, by its name */
    IS_ANNOTATION = 65536, /* may have HTML inside MathML, by its encoding */
    IS_PLAINTEXT = 131072
};

/* The attributes that are read, as kinds; `KIND_LISTED` and above are listed whatever their value is. */
enum {
    KIND_CLASS = 1,
    KIND_HREF,
    KIND_NAME,
    KIND_TYPE,
    KIND_ENCODING,
    KIND_STYLE, /* listed if it may hide the element */
    KIND_ARIA,  /* likewise */
    KIND_LISTED
};

/* A hash table of names: keys are FNV-1a of their characters, and 0 is an empty slot. `mask` is the last slot. */
struct names {
    const unsigned long long *keys;
    const int *values;
    int mask;
};

/* What the scanner knows of HTML. */
struct html {
    struct names tags;       /* the flags and the number of each tag: flags << 8 | number */
    struct names attributes; /* the kind of each attribute */
};

struct row {
    int parent, end, depth, offset, block_ancestor, inline_run;
    int start, stop; /* of its start tag or text in the serialization */
    int class_id; /* from 1; 0 for none */
    int flags;    /* of its tag */
    uint8_t node_type, tag, link, pre;
    uint8_t space;   /* 0 HTML, 1 SVG, 2 MathML */
    uint8_t literal; /* a text without character references */
};

/* An attribute that is listed: its value is the part of the serialization from start to stop, as it is written. */
struct attribute {
    int row, kind, start, stop;
};

struct scan {
    struct row *rows;
    ptrdiff_t row_count, row_space;
    struct attribute *listed;
    ptrdiff_t listed_count, listed_space;
    /* A hash table of classes, and the place of each in the serialization by its number. */
    struct attribute *classes;
    ptrdiff_t class_count, class_space;
    int *slots;
    ptrdiff_t slot_mask;
    /* The text of the page, in units of the serialization. */
    void *text;
    ptrdiff_t text_length;
    /* The row of each piece of code that was set aside (`find_code`), 0 before; the caller owns it. */
    int *code_rows;
    ptrdiff_t code_count, code_found;
};

/* What stands for a piece of code that was set aside: this character, and the number of the piece. */
enum { CODE_MARK = 1 };

/* Find the code of scripts and styles in markup, of `least` characters or more: from start to stop, in `places`, at most
 * `most` pieces. Return how many. It reads markup as a tokenizer does that builds no tree, so that it may be wrong where
 * the tree decides. Whoever parses markup without the code has to find each mark alone in a script or style: then
 * everything before it was read as the parser reads it, and the code is what the parser would have there. */
ptrdiff_t find_code(const void *markup, int kind, ptrdiff_t length, ptrdiff_t least, ptrdiff_t *places, ptrdiff_t most);

/* Read a serialization of `length` characters of `kind` bytes each (1, 2 or 4) into rows. Return 0; 1 if it is not
 * what was expected, and the page must be walked; -1 without memory. `scan_free` frees what was read in any case. */
int scan_page(const void *source, int kind, ptrdiff_t length, const struct html *html, int *code_rows,
              ptrdiff_t code_count, struct scan *scan);
void scan_free(struct scan *scan);

/* The attributes of an element, from its start tag, whose name begins at `at` and ends at `name_end`: the next one from
 * a place on, with the hash of its name. Return 0 after the last. The serialization was read by `scan_page`. */
ptrdiff_t name_end(const void *source, int kind, ptrdiff_t at);
int next_attribute(const void *source, int kind, ptrdiff_t *at, struct attribute *name, struct attribute *value,
                   unsigned long long *key);

/* The classes of characters (`tamis.html.characters`), and counts of them for each text run; all are 0 before. */
struct counts {
    int classes, other, space, letter, wide, symbol;
    uint32_t bmp_size, tags, ideographs, emoji_first, emoji_last, currencies[5];
    int *by_class, *words, *nonspace;
    uint8_t *first_class, *last_class;
    int other_count, currency_count;
};
void count_text(const void *text, int kind, const int *offset, ptrdiff_t rows, const unsigned char *classes,
                struct counts *counts);

/* Tell whether elements that are opened again may be more than `max_nodes`: an upper bound, see
 * `tamis.page.parse.reopening_limit`. */
int may_reopen(const unsigned char *markup, ptrdiff_t length, ptrdiff_t max_nodes);
int may_reopen_text(const void *markup, int kind, ptrdiff_t length, ptrdiff_t max_nodes);

/* Give memory that is not used any more back to the system, where the C library can. */
void release_memory(void);

/* Tell whether a text has a surrogate; in a string of Python, each is alone. */
int has_surrogates(const void *text, int kind, ptrdiff_t length);

#endif
