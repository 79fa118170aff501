"""Threads in other languages than English: the software is the same, its words are not."""

from dataclasses import dataclass

import pytest

import tamis
from tamis.metadata.date_formats import parse_day

# ruff: noqa: E501 (markup; letters of other scripts)


@dataclass(frozen=True)
class Language:
    """The words of a board in one language, and the texts of its posts."""

    byline: str  #: what phpBB writes around the name: "Post by NAME » "
    days: tuple[str, str]  #: May 14 and 15, 2023
    today: str
    relative: str
    edited: str
    buttons: tuple[str, str]
    classes: tuple[str, str, str]  #: of a comment, its author and its text
    bodies: tuple[str, str, str]


LANGUAGES = {
    "de": Language(
        "Beitrag von {} » ", ("14. Mai 2023, 19:22", "Mo 15. Mai 2023, 08:01"), "Heute, 21:40", "vor 2 Stunden",
        "Zuletzt geändert von Jo am 16. Juni 2023, 10:00, insgesamt 1-mal geändert.", ("Antworten", "Melden"),
        ("kommentar", "autor", "inhalt"),
        ("Meine Hecke ist nach dem Winter braun geworden, und ich weiß nicht, ob ich sie noch retten kann.",
         "Schneide einen Zweig an. Ist er innen grün, treibt sie im Mai wieder aus, sonst hilft nur der Spaten.",
         "Danke, innen ist alles grün. Dann warte ich noch ein paar Wochen und gieße in der Zeit regelmäßig."),
    ),
    "fr": Language(
        "Message par {} » ", ("14 mai 2023, 19:22", "lun. 15 mai 2023, 08:01"), "Aujourd’hui, 21:40", "il y a 2 heures",
        "Modifié en dernier par Jo le 16 juin 2023, 10:00, modifié 1 fois.", ("Répondre", "Signaler"),
        ("commentaire", "auteur", "texte"),
        ("Ma haie a bruni pendant l’hiver et je ne sais pas si je peux encore la sauver cette année.",
         "Coupe une petite branche. Si elle est verte dedans, la haie repartira en mai, sinon il faut l’arracher.",
         "Merci, tout est vert à l’intérieur. Je vais donc attendre quelques semaines et arroser un peu."),
    ),
    "es": Language(
        "Mensaje por {} » ", ("14 de mayo de 2023, 19:22", "lun 15 may 2023, 08:01"), "Hoy, 21:40", "hace 2 horas",
        "Última edición por Jo el 16 de junio de 2023, 10:00", ("Responder", "Denunciar"),
        ("comentario", "autor", "texto"),
        ("Mi seto se ha puesto marrón después del invierno y no sé si todavía lo puedo salvar.",
         "Corta una rama. Si por dentro está verde, volverá a brotar en mayo; si no, toca usar la pala.",
         "Gracias, por dentro está todo verde. Entonces espero unas semanas y lo riego con regularidad."),
    ),
    "it": Language(
        "Messaggio da {} » ", ("14 maggio 2023, 19:22", "lun 15 mag 2023, 08:01"), "Oggi, 21:40", "2 ore fa",
        "Ultima modifica di Jo il 16 giugno 2023, 10:00", ("Rispondi", "Segnala"),
        ("commento", "autore", "testo"),
        ("La mia siepe è diventata marrone dopo l’inverno e non so se posso ancora salvarla.",
         "Taglia un rametto. Se dentro è verde, a maggio ricaccia; altrimenti serve soltanto la vanga.",
         "Grazie, dentro è tutto verde. Allora aspetto ancora qualche settimana e la annaffio spesso."),
    ),
    "pt": Language(
        "Mensagem por {} » ", ("14 de maio de 2023, 19:22", "seg 15 mai 2023, 08:01"), "Hoje, 21:40", "há 2 horas",
        "Editado pela última vez por Jo em 16 de junho de 2023, 10:00", ("Responder", "Denunciar"),
        ("comentario", "autor", "texto"),
        ("A minha sebe ficou castanha depois do inverno e não sei se ainda a consigo salvar.",
         "Corta um ramo. Se por dentro estiver verde, volta a rebentar em maio; senão, só mesmo a pá.",
         "Obrigado, por dentro está tudo verde. Então espero mais umas semanas e rego com frequência."),
    ),
    "nl": Language(
        "Bericht door {} » ", ("14 mei 2023, 19:22", "ma 15 mei 2023, 08:01"), "Vandaag, 21:40", "2 uur geleden",
        "Laatst gewijzigd door Jo op 16 juni 2023, 10:00", ("Reageer", "Meld"),
        ("reactie", "auteur", "tekst"),
        ("Mijn haag is na de winter helemaal bruin geworden en ik weet niet of ik hem nog kan redden.",
         "Knip een takje door. Is het van binnen groen, dan loopt hij in mei weer uit, anders moet hij eruit.",
         "Bedankt, van binnen is alles nog groen. Dan wacht ik een paar weken en geef ik genoeg water."),
    ),
    "pl": Language(
        "Post autor: {} » ", ("14 maja 2023, 19:22", "pn 15 maja 2023, 08:01"), "Dzisiaj, 21:40", "2 godziny temu",
        "Ostatnio zmieniony przez Jo 16 czerwca 2023, 10:00", ("Odpowiedz", "Zgłoś"),
        ("komentarz", "autor", "tresc"),
        ("Mój żywopłot po zimie zrobił się brązowy i nie wiem, czy da się go jeszcze uratować.",
         "Przetnij gałązkę. Jeśli w środku jest zielona, w maju odbije, a jeśli nie, zostaje łopata.",
         "Dzięki, w środku wszystko jest zielone. Poczekam zatem kilka tygodni i będę podlewać."),
    ),
    "ru": Language(
        "Сообщение {} » ", ("14 мая 2023, 19:22", "Пн, 15 мая 2023, 08:01"), "Сегодня, 21:40", "2 часа назад",
        "Последний раз редактировалось Jo 16 июня 2023, 10:00", ("Ответить", "Жалоба"),
        ("comment", "nick", "text"),
        ("Живая изгородь после зимы стала бурой, и я не знаю, можно ли её ещё спасти.",
         "Срежьте веточку. Если внутри она зелёная, в мае пойдут побеги, иначе поможет только лопата.",
         "Спасибо, внутри всё зелёное. Тогда подожду несколько недель и буду чаще поливать."),
    ),
    "tr": Language(
        "Mesaj gönderen {} » ", ("14 Mayıs 2023, 19:22", "15 Mayıs 2023, 08:01"), "Bugün, 21:40", "2 saat önce",
        "En son Jo tarafından 16 Haziran 2023, 10:00 tarihinde düzenlendi", ("Cevapla", "Bildir"),
        ("yorum", "yazar", "metin"),
        ("Bahçemdeki çit kıştan sonra kahverengi oldu ve onu kurtarabilir miyim bilmiyorum.",
         "Küçük bir dal kes. İçi yeşilse mayısta yeniden sürgün verir, değilse sökmekten başka çare yok.",
         "Teşekkürler, içi tamamen yeşil. O zaman birkaç hafta daha bekler ve düzenli sularım."),
    ),
    "sv": Language(
        "Inlägg av {} » ", ("14 maj 2023, 19:22", "mån 15 maj 2023, 08:01"), "Idag, 21:40", "för 2 timmar sedan",
        "Senast redigerad av Jo den 16 juni 2023, 10:00", ("Svara", "Anmäl"),
        ("kommentar", "author", "text"),
        ("Min häck blev brun efter vintern och jag vet inte om den fortfarande går att rädda.",
         "Klipp av en kvist. Är den grön inuti skjuter den nya skott i maj, annars hjälper bara spaden.",
         "Tack, den är helt grön inuti. Då väntar jag några veckor till och vattnar regelbundet."),
    ),
    "ja": Language(
        "投稿記事 by {} » ", ("2023年5月14日 19:22", "2023年5月15日(月) 08:01"), "今日 21:40", "2時間前",
        "最終編集 Jo 2023年6月16日 10:00", ("返信", "通報"),
        ("comment", "name", "text"),
        ("冬のあとで生垣が茶色になってしまいました。まだ助けられるのかどうか分かりません。",
         "小枝を切ってみてください。中が緑なら五月にまた芽が出ます。そうでなければ植え替えです。",
         "ありがとうございます。中はすべて緑でした。数週間待って、水をこまめにやってみます。"),
    ),
    "zh": Language(
        "帖子 由 {} » ", ("2023年5月14日 19:22", "2023年5月15日 08:01"), "今天 21:40", "2小时前",
        "最后由 Jo 编辑于 2023年6月16日 10:00", ("回复", "举报"),
        ("comment", "author", "text"),
        ("冬天过后，我家的树篱变成了棕色，不知道现在还能不能救活，请大家给点建议。",
         "剪下一根小枝看看。里面如果是绿色的，五月就会重新发芽，否则只能挖掉重新种了。",
         "谢谢，里面全都是绿色的。那我再等几个星期，这段时间按时浇水，到时候再来汇报。"),
    ),
    "ko": Language(
        "게시물 작성자: {} » ", ("2023년 5월 14일 19:22", "2023. 5. 15. 08:01"), "오늘 21:40", "2시간 전",
        "마지막으로 Jo 에 의해 2023년 6월 16일 10:00 수정됨", ("답글", "신고"),
        ("comment", "nickname", "text"),
        ("겨울이 지나고 나서 울타리가 갈색으로 변했는데 아직 살릴 수 있는지 모르겠습니다.",
         "작은 가지를 하나 잘라 보세요. 속이 초록색이면 오월에 다시 싹이 트고, 아니면 뽑아야 합니다.",
         "감사합니다. 속은 모두 초록색이네요. 그러면 몇 주 더 기다리면서 물을 자주 주겠습니다."),
    ),
}  # fmt: skip
AUTHORS = ("Holzwurm", "Mireille", "Petrov")


def page(language, posts):
    return (
        f'<!doctype html><html lang={language}><head><title>Hedera helix</title></head><body><div id="page-header">'
        f'<a href="/">Forum</a> <a href="/faq">FAQ</a></div><h2 class="topic-title">Hedera helix 2023</h2>{posts}</body></html>'
    )


def board(words):
    """Return posts as phpBB 3.0 writes them: name, date and what it calls a post stand in one line."""
    dates = (*words.days, words.today)
    return "".join(
        f'<div id="p10{n}" class="post bg{n % 2}"><div class="inner"><div class="postbody"><p class="author">'
        f'{words.byline.format(f"""<strong><a href="memberlist.php?mode=viewprofile&u={n}">{author}</a></strong>""")}{date}</p>'
        f'<div class="content">{body}</div>{f"""<div class="notice">{words.edited}</div>""" if n == 0 else ""}</div>'
        f'<ul class="profile-icons"><li><a href="r">{words.buttons[0]}</a></li><li><a href="x">{words.buttons[1]}</a></li></ul></div></div>'
        for n, (author, date, body) in enumerate(zip(AUTHORS, dates, words.bodies, strict=True))
    )


def comments(words):
    """Return comments whose classes are words of the language."""
    post, author, text = words.classes
    dates = (words.days[0], words.relative, words.today)
    return "".join(
        f'<div class="{post}" id="{post}-{n}"><div class="head"><span class="{author}">{name}</span> '
        f'<span class="when">{date}</span></div><div class="{text}"><p>{body}</p></div>'
        f'<div class="foot"><a href="r">{words.buttons[0]}</a> <a href="x">{words.buttons[1]}</a></div></div>'
        for n, (name, date, body) in enumerate(zip(AUTHORS, dates, words.bodies, strict=True))
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_posts_of_a_board(language):
    words = LANGUAGES[language]
    posts = tamis.extract(page(language, board(words))).posts
    assert [post.author for post in posts] == list(AUTHORS)
    assert [parse_day(post.date or "") for post in posts[:2]] == ["2023-05-14", "2023-05-15"]
    assert posts[2].date == words.today
    assert [post.text.split() for post in posts] == [body.split() for body in words.bodies]


@pytest.mark.parametrize("language", LANGUAGES)
def test_comments_whose_classes_are_words_of_the_language(language):
    words = LANGUAGES[language]
    posts = tamis.extract(page(language, comments(words))).posts
    assert [post.author for post in posts] == list(AUTHORS)
    assert [parse_day(posts[0].date or ""), *(post.date for post in posts[1:])] == [
        "2023-05-14",
        words.relative,
        words.today,
    ]
    assert [post.text.split() for post in posts] == [body.split() for body in words.bodies]
