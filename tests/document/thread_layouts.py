"""Threads in the markup of forum software of several versions, each with the same four posts.

A layout is a function of the posts that returns a page. What it shows of them (`Shown`) is what is expected.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

# ruff: noqa: E501 (markup)


@dataclass(frozen=True)
class Post:
    """One of the posts."""

    number: int
    author: str
    iso: str
    body: str
    depth: int
    votes: int

    @property
    def day(self) -> str:
        return self.iso[:10]

    @property
    def epoch(self) -> int:
        return int(datetime.fromisoformat(self.iso).timestamp())

    def written(self, form: str) -> str:
        return datetime.fromisoformat(self.iso).strftime(form)


POSTS = [
    Post(
        1,
        "Ines_Duarte",
        "2023-06-14T05:20:00+00:00",
        "<p>I sail a sloop alone and dread the second reef. The boom swings before I reach the mast.</p>",
        0,
        31,
    ),
    Post(
        2,
        "harbour_cat",
        "2023-06-14T06:05:00+00:00",
        "<p>Heave to first. Backed jib, helm down, and the boat sits still enough to drink coffee.</p><ul><li>ease the main</li><li>drop the halyard</li></ul>",
        0,
        12,
    ),
    Post(
        3,
        "Petr",
        "2023-06-15T08:45:00+00:00",
        "<p>Lead both lines aft. Mine run through <code>two clutches</code> on the coachroof.</p>",
        1,
        5,
    ),
    Post(
        4,
        "Ines_Duarte",
        "2023-06-16T20:15:00+00:00",
        "<p>How much friction does that add at the turning blocks?</p>",
        0,
        2,
    ),
]
TITLE = "Reefing single-handed in a chop"


@dataclass(frozen=True)
class Layout:
    """A layout: how its page is written, and what it shows."""

    page: Callable[[], str]
    votes: bool = False
    nested: bool = False
    dates: bool = True
    comments: bool = False  # below an article
    replies: bool = False  # all others answer the first post
    permalink: bool = True
    url: str | None = None


LAYOUTS: dict[str, Layout] = {}


def layout(**shown: bool | str) -> Callable[[Callable[[], str]], Callable[[], str]]:
    """Register a layout under the name of its function."""

    def register(page: Callable[[], str]) -> Callable[[], str]:
        LAYOUTS[page.__name__] = Layout(page, **shown)
        return page

    return register


def _page(body: str, title: str = TITLE) -> str:
    return f"<!doctype html><html lang=en><head><meta charset=utf-8><title>{title}</title></head><body>{body}</body></html>"


ARTICLE = (
    "<article class=entry><h1>On the second reef</h1>"
    + (
        "<p>Reefing early is the oldest advice in sailing, and the least followed. The second reef is the one that matters, "
        "because it comes when the sea is already up and the crew already tired. Mark the halyard and practise at the mooring.</p>"
    )
    * 3
    + "</article>"
)


@layout()
def xenforo_1() -> str:
    posts = "".join(
        f'<li id="post-{p.number}" class="sectionMain message" data-author="{p.author}"><div class="messageUserInfo"><div class="messageUserBlock"><div class="avatarHolder"><a href="members/{p.number}/" class="avatar"><img src=a.jpg alt="{p.author}"></a></div><h3 class="userText"><a href="members/{p.number}/" class="username">{p.author}</a><em class="userTitle">Active Member</em></h3><div class="extraUserInfo"><dl class="pairsJustified"><dt>Joined:</dt><dd>Jan 5, 2011</dd></dl><dl class="pairsJustified"><dt>Messages:</dt><dd>1,204</dd></dl></div></div></div>'
        f'<div class="messageInfo primaryContent"><div class="messageContent"><article><blockquote class="messageText SelectQuoteContainer ugc baseHtml">{p.body}</blockquote></article></div><div class="messageMeta ToggleTriggerAnchor"><div class="privateControls"><span class="item muted"><span class="authorEnd"><a href="members/{p.number}/" class="username author">{p.author}</a>, </span><a href="threads/reef.7/#post-{p.number}" title="Permalink" class="datePermalink"><abbr class="DateTime" data-time="{p.epoch}" title="{p.written("%b %d, %Y at %I:%M %p")}">{p.written("%b %d, %Y")}</abbr></a></span></div><div class="publicControls"><a href="threads/reef.7/#post-{p.number}" class="item muted postNumber">#{p.number}</a><a class="ReplyQuote item control reply" href="#">Reply</a></div></div></div></li>'
        for p in POSTS
    )
    return _page(
        f'<div class="titleBar"><h1>{TITLE}</h1><p id="pageDescription">Discussion in \'Seamanship\' started by Ines_Duarte.</p></div><ol class="messageList" id="messageList">{posts}</ol>'
    )


@layout()
def xenforo_2() -> str:
    posts = "".join(
        f'<article class="message message--post js-post js-inlineModContainer" data-author="{p.author}" data-content="post-{p.number}" id="js-post-{p.number}" itemscope itemtype="https://schema.org/Comment" itemid="https://e.org/posts/{p.number}/"><span class="u-anchorTarget" id="post-{p.number}"></span><div class="message-inner"><div class="message-cell message-cell--user"><section class="message-user" itemprop="author" itemscope itemtype="https://schema.org/Person"><div class="message-userDetails"><h4 class="message-name"><a href="/members/{p.number}/" class="username"><span itemprop="name">{p.author}</span></a></h4><h5 class="userTitle message-userTitle">Well-known member</h5></div><div class="message-userExtras"><dl class="pairs pairs--justified"><dt>Joined</dt><dd>Mar 3, 2015</dd></dl><dl class="pairs"><dt>Messages</dt><dd>812</dd></dl></div></section></div>'
        f'<div class="message-cell message-cell--main"><div class="message-main js-quickEditTarget"><header class="message-attribution message-attribution--split"><ul class="message-attribution-main listInline"><li class="u-concealed"><a href="/threads/reef.7/post-{p.number}" rel="nofollow" itemprop="url"><time class="u-dt" dir="auto" datetime="{p.iso}" itemprop="datePublished">{p.written("%b %d, %Y")}</time></a></li></ul><ul class="message-attribution-opposite"><li><a href="/threads/reef.7/post-{p.number}" class="message-attribution-gadget" title="Share"><i></i></a></li><li><a href="/threads/reef.7/post-{p.number}">#{p.number}</a></li></ul></header><div class="message-content js-messageContent"><div class="message-userContent lbContainer"><article class="message-body js-selectToQuote"><div itemprop="text"><div class="bbWrapper">{p.body}</div></div></article></div></div><footer class="message-footer"><div class="reactionsBar"><a class="reactionsBar-link" href="/r">Jan and Ole</a></div></footer></div></div></div></article>'
        for p in POSTS
    )
    return _page(
        f'<h1 class="p-title-value">{TITLE}</h1><div class="block-body js-replyNewMessageContainer">{posts}</div>'
    )


@layout()
def phpbb_3_0() -> str:
    posts = "".join(
        f'<div id="p{p.number}" class="post bg{p.number % 2 + 1}"><div class="inner"><span class="corners-top"><span></span></span><div class="postbody"><ul class="profile-icons"><li class="quote-icon"><a href="./posting.php?mode=quote&p={p.number}" title="Reply with quote"><span>Reply with quote</span></a></li></ul><h3><a href="#p{p.number}">Re: {TITLE}</a></h3><p class="author"><a href="./viewtopic.php?p={p.number}#p{p.number}"><img src="post.gif" width="11" height="9" alt="Post" title="Post"></a>by <strong><a href="./memberlist.php?mode=viewprofile&u={p.number}">{p.author}</a></strong> &raquo; {p.written("%a %b %d, %Y %I:%M %p").lower().title()} </p><div class="content">{p.body}</div><div id="sig{p.number}" class="signature">Fair winds</div></div><dl class="postprofile" id="profile{p.number}"><dt><a href="./memberlist.php?mode=viewprofile&u={p.number}">{p.author}</a></dt><dd>&nbsp;</dd><dd><strong>Posts:</strong> 34</dd><dd><strong>Joined:</strong> Mon Jan 05, 2009 7:12 pm</dd></dl><div class="back2top"><a href="#wrap" class="top" title="Top">Top</a></div></div></div><hr class="divider">'
        for p in POSTS
    )
    return _page(f'<div id="page-body"><h2><a href="./viewtopic.php?t=9">{TITLE}</a></h2>{posts}</div>')


@layout()
def vbulletin_3() -> str:
    posts = "".join(
        f'<div id="edit{p.number}"><table class="tborder" id="post{p.number}" cellpadding="6" cellspacing="1" width="100%"><tr><td class="thead"><div class="normal" style="float:right">#<a href="showpost.php?p={p.number}" id="postcount{p.number}" name="{p.number}"><strong>{p.number}</strong></a></div><div class="normal"><a name="post{p.number}"><img src="post_old.gif" alt="Old"></a> {p.written("%m-%d-%Y, %I:%M %p")}</div></td></tr><tr><td class="alt2"><div id="postmenu_{p.number}"><a class="bigusername" href="member.php?u={p.number}">{p.author}</a></div><div class="smallfont">Senior Member</div><div class="smallfont"><div>Join Date: Jan 2004</div><div>Posts: 320</div></div></td></tr><tr><td class="alt1" id="td_post_{p.number}"><div class="smallfont"><strong>{TITLE}</strong></div><hr size="1"><div id="post_message_{p.number}">{p.body}</div><div align="right"><a href="newreply.php?p={p.number}"><img src="quote.gif" alt="Reply With Quote"></a></div></td></tr></table></div>'
        for p in POSTS
    )
    return _page(f'<div id="posts">{posts}</div>', f"{TITLE} - Sailing Forums")


@layout()
def vbulletin_5() -> str:
    posts = "".join(
        f'<li data-node-id="{p.number}" class="b-post b-post--{p.number} js-post js-comment-entry__parent h-restore--on-preview" itemscope itemtype="http://schema.org/Comment"><div class="b-post__body h-clearfix"><div class="b-post__grid-container"><div class="b-post__grid-userinfo-wrapper"><div class="b-userinfo"><div class="author h-text-size--14" itemprop="author" itemscope itemtype="http://schema.org/Person"><strong><a href="/member/{p.number}" class="b-avatar__username"><span itemprop="name">{p.author}</span></a></strong></div><div class="usertitle">Senior Member</div></div></div><div class="b-post__grid-content"><div class="b-post__content js-post__content"><hr class="b-divider--section"><div class="b-post__timestamp"><time itemprop="dateCreated" datetime="{p.iso}">{p.written("%m-%d-%Y, %I:%M %p")}</time></div><a href="/forum/reef#post{p.number}" class="b-post__count js-show-post-link">#{p.number}</a><div class="OLD__post-content-text b-post__content-text js-post__content-text restore" itemprop="text">{p.body}</div></div><div class="b-post__footer"><ul class="js-post-controls"><li class="b-post-control"><a class="post-share js-post-share">Share</a></li><li>Quote</li></ul></div></div></div></div></li>'
        for p in POSTS
    )
    return _page(
        f'<h1 class="main-title">{TITLE}</h1><ul class="conversation-list list-container h-clearfix thread-view">{posts}</ul>'
    )


@layout()
def mybb() -> str:
    posts = "".join(
        f'<a name="pid{p.number}" id="pid{p.number}"></a><div class="post classic" style="" id="post_{p.number}"><div class="post_author scaleimages"><div class="author_avatar"><a href="user-{p.number}.html"><img src="a.png" alt=""></a></div><div class="author_information"><strong><span class="largetext"><a href="https://e.org/user-{p.number}.html">{p.author}</a></span></strong><br><span class="smalltext">Junior Member<br></span></div><div class="author_statistics">Posts: 41<br>Threads: 8<br>Joined: Jan 2012</div></div><div class="post_content"><div class="post_head"><div class="float_right"><strong><a href="thread-9-post-{p.number}.html#pid{p.number}">#{p.number}</a></strong></div><span class="post_date">{p.written("%m-%d-%Y, %I:%M %p")} <span class="post_edit" id="edited_by_{p.number}"></span></span></div><div class="post_body scaleimages" id="pid_{p.number}">{p.body}</div><div class="post_meta" id="post_meta_{p.number}"></div></div><div class="post_controls"><div class="postbit_buttons"><a href="newreply.php" class="postbit_quote"><span>Reply</span></a></div></div></div>'
        for p in POSTS
    )
    return _page(
        f'<table class="tborder tfixed"><tr><td class="thead"><strong>{TITLE}</strong></td></tr><tr><td id="posts_container"><div id="posts">{posts}</div></td></tr></table>'
    )


@layout()
def smf_2() -> str:
    posts = "".join(
        f'<div class="windowbg" id="msg{p.number}"><div class="post_wrapper"><div class="poster"><h4><a href="index.php?action=profile;u={p.number}" title="View the profile of {p.author}">{p.author}</a></h4><ul class="user_info"><li class="membergroup">Full Member</li><li class="postcount">Posts: 210</li></ul></div><div class="postarea"><div class="keyinfo"><div id="subject_{p.number}" class="subject_title"><a href="index.php?msg={p.number}" rel="nofollow">Re: {TITLE}</a></div><span class="page_number floatright">#{p.number}</span><div class="postinfo"><a href="index.php?msg={p.number}" rel="nofollow" title="Reply #{p.number} - Re" class="smalltext">{p.written("%B %d, %Y, %I:%M:%S %p")}</a></div></div><div class="post"><div class="inner" data-msgid="{p.number}" id="msg_{p.number}">{p.body}</div></div><ul class="quickbuttons"><li><a href="#quote">Quote</a></li></ul></div><div class="moderatorbar"><div class="signature">Calm seas</div></div></div></div>'
        for p in POSTS
    )
    return _page(
        f'<div id="display_head"><h2 class="display_title"><span id="top_subject">{TITLE}</span></h2></div><div id="forumposts"><form>{posts}</form></div>'
    )


@layout()
def invision_4() -> str:
    posts = "".join(
        f'<a id="comment-{p.number}"></a><article id="elComment_{p.number}" class="cPost ipsBox ipsComment ipsComment_parent ipsClearfix ipsClear ipsColumns"><aside class="ipsComment_author cAuthorPane ipsColumn"><h3 class="ipsType_sectionHead cAuthorPane_author ipsType_blendLinks"><strong><a href="https://e.org/profile/{p.number}-x/" title="Go to {p.author}\'s profile" class="ipsType_break">{p.author}</a></strong></h3><ul class="cAuthorPane_info ipsList_reset"><li data-role="group">Members</li><li data-role="stats">1.2k</li></ul></aside><div class="ipsColumn ipsColumn_fluid"><div id="comment-{p.number}_wrap" data-controller="core.front.core.comment" class="ipsComment_content ipsType_medium"><div class="ipsComment_meta ipsType_light"><div class="ipsPos_right ipsType_small"><a href="https://e.org/topic/9-reef/?do=findComment&comment={p.number}">Share</a></div><div class="ipsType_reset ipsResponsive_hidePhone"><a href="https://e.org/topic/9-reef/?do=findComment&comment={p.number}" class="ipsType_blendLinks">Posted <time datetime="{p.iso}" title="{p.day}">{p.written("%B %d, %Y")}</time></a></div></div><div class="cPost_contentWrap"><div data-role="commentContent" class="ipsType_normal ipsType_richText ipsPadding_bottom ipsContained">{p.body}</div></div><div class="ipsItemControls"><ul class="ipsComment_controls"><li><a href="#">Quote</a></li></ul></div></div></div></article>'
        for p in POSTS
    )
    return _page(
        f'<h1 class="ipsType_pageTitle ipsContained_container"><span class="ipsType_break ipsContained"><span>{TITLE}</span></span></h1><div id="elPostFeed"><form>{posts}</form></div>'
    )


@layout(permalink=False)
def flarum() -> str:
    posts = "".join(
        f'<div class="PostStream-item" data-index="{p.number - 1}" data-time="{p.iso}" data-number="{p.number}" data-id="{p.number}" data-type="comment"><article class="CommentPost Post"><div><header class="Post-header"><ul><li class="item-user"><div class="PostUser"><h3 class="PostUser-name"><a href="/u/{p.author}"><img class="Avatar" src="a.png"><span class="username">{p.author}</span></a></h3></div></li><li class="item-meta"><div class="Dropdown PostMeta"><a class="Dropdown-toggle"><time pubdate datetime="{p.iso}" title="{p.written("%A, %B %d, %Y")}" data-humantime="true">{p.written("%d %b %Y")}</time></a></div></li></ul></header><div class="Post-body">{p.body}</div><aside class="Post-actions"><ul><li class="item-reply"><button class="Button"><span>Reply</span></button></li></ul></aside><footer class="Post-footer"></footer></div></article></div>'
        for p in POSTS
    )
    return _page(
        f'<header class="Hero DiscussionHero"><h1 class="DiscussionHero-title">{TITLE}</h1></header><div class="DiscussionPage-stream"><div class="PostStream">{posts}</div></div>'
    )


@layout(votes=True)
def nodebb() -> str:
    posts = "".join(
        f'<li component="post" class="posts-list-item" data-index="{p.number}" data-pid="{p.number}" data-uid="{p.number}" data-timestamp="{p.epoch}000" data-username="{p.author}" data-userslug="{p.author.lower()}" itemprop="comment" itemtype="http://schema.org/Comment" itemscope><a component="post/anchor" data-index="{p.number}" id="{p.number}"></a><meta itemprop="datePublished" content="{p.iso}"><div class="clearfix post-header"><div class="icon"><a href="/user/{p.author.lower()}"><img src="a.png"></a></div><small><strong><a href="/user/{p.author.lower()}" itemprop="author" data-username="{p.author}" data-uid="{p.number}">{p.author}</a></strong> <a class="permalink" href="/post/{p.number}"><span class="timeago" title="{p.iso}"></span></a></small></div><br><div class="content" component="post/content" itemprop="text">{p.body}</div><div class="post-footer"><span class="votes"><a component="post/upvote" href="#"><i></i></a><span class="human-readable-number" component="post/vote-count" data-votes="{p.votes}" title="{p.votes}">{p.votes}</span></span><a component="post/reply" href="#">Reply</a> <a component="post/quote" href="#">Quote</a></div></li>'
        for p in POSTS
    )
    return _page(
        f'<h1 component="post/header" itemprop="name"><span component="topic/title">{TITLE}</span></h1><ul component="topic" class="posts">{posts}</ul>'
    )


@layout(votes=True)
def discourse_crawler() -> str:
    posts = "".join(
        f'<div id="post_{p.number}" {"" if p.number == 1 else "itemprop=comment itemscope itemtype=http://schema.org/Comment"} class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator" itemprop="author" itemscope itemtype="http://schema.org/Person"><a itemprop="url" rel="nofollow" href="https://e.org/u/{p.author}"><span itemprop="name">{p.author}</span></a></span><link itemprop="mainEntityOfPage" href="https://e.org/t/reef/9"><span class="crawler-post-infos"><time itemprop="datePublished" datetime="{p.iso}" class="post-time">{p.written("%B %d, %Y, %I:%M%p")}</time><meta itemprop="dateModified" content="{p.iso}"><span itemprop="position">{p.number}</span></span></div><div class="post" itemprop="text">{p.body}</div><div itemprop="interactionStatistic" itemscope itemtype="http://schema.org/InteractionCounter"><meta itemprop="interactionType" content="http://schema.org/LikeAction"><meta itemprop="userInteractionCount" content="{p.votes}"><span class="post-likes">{p.votes} Likes</span></div></div>'
        for p in POSTS
    )
    return _page(
        f'<div id="main-outlet" class="wrap" role="main"><div id="topic-title"><h1><a href="/t/reef/9">{TITLE}</a></h1></div><div itemscope itemtype="http://schema.org/DiscussionForumPosting"><meta itemprop="headline" content="{TITLE}"><meta itemprop="datePublished" content="{POSTS[0].iso}">{posts}</div></div>'
    )


@layout()
def discourse_rendered() -> str:
    posts = "".join(
        f'<div class="topic-post clearfix regular" data-post-number="{p.number}"><article id="post_{p.number}" aria-label="Post #{p.number} by @{p.author}" role="region" data-post-id="{p.number}" data-topic-id="9" data-user-id="{p.number}" class="boxed onscreen-post"><div class="post__row row"><div class="topic-avatar"><div class="post-avatar"><a class="trigger-user-card main-avatar" href="/u/{p.author}" data-user-card="{p.author}"><img src="a.png"></a></div></div><div class="post__body topic-body clearfix"><div role="heading" aria-level="2" class="topic-meta-data"><div class="names trigger-user-card"><span class="first username"><a href="/u/{p.author}" data-user-card="{p.author}">{p.author}</a></span></div><div class="post-infos"><div class="post-info post-date"><a class="widget-link post-date" href="/t/reef/9/{p.number}" title="Post date"><span data-format="tiny" data-time="{p.epoch}000" class="relative-date" title="{p.written("%b %d, %Y %I:%M %p")}">{p.written("%b %d")}</span></a></div></div></div><div class="post__regular regular contents"><div class="cooked">{p.body}</div><section class="post__menu-area post-menu-area clearfix"><nav class="post-controls"><div class="actions"><button class="btn like">Like</button><button class="reply">Reply</button></div></nav></section></div></div></div></article></div>'
        for p in POSTS
    )
    return _page(
        f'<div id="topic-title"><h1 data-topic-id="9"><a href="/t/reef/9" class="fancy-title">{TITLE}</a></h1></div><div class="post-stream">{posts}</div>'
    )


@layout(votes=True)
def stack_exchange() -> str:
    first, *answers = POSTS

    def cell(p: Post, kind: str) -> str:
        return f'<div class="post-layout"><div class="votecell post-layout--left"><div class="js-voting-container d-flex"><button class="js-vote-up-btn" aria-label="Up vote"></button><div class="js-vote-count flex--item" itemprop="upvoteCount" data-value="{p.votes}">{p.votes}</div><button class="js-vote-down-btn"></button></div></div><div class="{"postcell" if kind == "question" else "answercell"} post-layout--right"><div class="s-prose js-post-body" itemprop="text">{p.body}</div><div class="mt24"><div class="d-flex"><div class="js-post-menu pt2" data-post-id="{p.number}"><div class="d-flex gs8"><div class="flex--item"><a href="/{kind[0]}/{p.number}" rel="nofollow" itemprop="url" class="js-share-link js-gps-track" title="Short permalink to this {kind}">Share</a></div><div class="flex--item"><a href="/posts/{p.number}/edit" class="js-suggest-edit-post">Improve this {kind}</a></div><div><button class="js-follow-post">Follow</button></div></div></div><div class="post-signature {"owner" if kind == "question" else ""} flex--item"><div class="user-info"><div class="user-action-time">{"asked" if kind == "question" else "answered"} <span title="{p.iso[:19].replace("T", " ")}Z" class="relativetime">{p.written("%b %d, %Y at %H:%M")}</span></div><div class="user-gravatar32"><a href="/users/{p.number}/x"><img src="a.png"></a></div><div class="user-details" itemprop="author" itemscope itemtype="http://schema.org/Person"><a href="/users/{p.number}/x">{p.author}</a><span class="d-none" itemprop="name">{p.author}</span><div class="-flair"><span class="reputation-score" title="reputation score" dir="ltr">1,034</span><span title="6 silver badges"><span class="badge2"></span><span class="badgecount">6</span></span></div></div></div></div></div></div></div></div>'

    shown = "".join(
        f'<div id="answer-{p.number}" class="answer js-answer" data-answerid="{p.number}" data-parentid="1" data-score="{p.votes}" data-position-on-page="{p.number}" itemprop="suggestedAnswer" itemscope itemtype="https://schema.org/Answer">{cell(p, "answer")}</div><a name="{p.number}"></a>'
        for p in answers
    )
    return _page(
        f'<div class="inner-content clearfix" itemscope itemtype="https://schema.org/Question"><div id="question-header"><h1 itemprop="name"><a href="/questions/1/reef" class="question-hyperlink">{TITLE}</a></h1></div><div class="d-flex"><div title="2023-06-14 05:20:00Z"><span class="fc-light">Asked</span> <time itemprop="dateCreated" datetime="2023-06-14T05:20:00">1 year ago</time></div><div>Viewed 812 times</div></div><div id="mainbar" role="main"><div class="question js-question" data-questionid="1" data-score="31" id="question">{cell(first, "question")}</div><div id="answers"><div id="answers-header"><h2 class="mb0" data-answercount="3">3 Answers</h2></div>{shown}</div></div></div>'
    )


@layout(url="https://github.com/x/y/issues/9")
def github_react() -> str:
    first, *comments = POSTS
    head = lambda p, kind: (  # noqa: E731
        f'<div class="ActivityHeader-module__narrowViewportWrapper--k4ncm"><div class="ActivityHeader-module__TitleSection"><a class="ActivityHeader-module__AuthorLink" href="/{p.author}" data-testid="{kind}-header-author" data-hovercard-url="/users/{p.author}/hovercard">{p.author}</a><div><a class="Link" data-testid="{kind}-header-link" href="/x/y/issues/9#issuecomment-{p.number}"><relative-time class="sc-aXZVg" datetime="{p.iso}" title="{p.written("%b %d, %Y")}">{p.written("on %b %d, %Y")}</relative-time></a></div></div><button aria-label="Actions">...</button></div>'
    )
    shown = "".join(
        f'<div class="LayoutHelpers-module__timelineElement" data-wrapper-timeline-id="IC_{p.number}"><div class="react-issue-comment" data-testid="comment-viewer-outer-box-IC_{p.number}" id="issuecomment-{p.number}"><div class="ActivityHeader">{head(p, "comment")}</div><div class="IssueCommentViewer-module__IssueCommentBody"><div data-testid="markdown-body" class="Box-sc markdown-body NewMarkdownViewer-module__safe-html-box">{p.body}</div></div><div role="toolbar" aria-label="Reactions"><button>+1</button></div></div></div>'
        for p in comments
    )
    return _page(
        f'<div data-testid="issue-viewer-issue-container"><div data-testid="issue-header"><h1><bdi data-testid="issue-title" class="markdown-title">{TITLE}</bdi><span> #9</span></h1></div><div class="react-issue-body" data-testid="issue-body"><h2 class="sr-only">Description</h2><div>{head(first, "issue-body")}</div><div class="IssueBodyViewer-module__IssueBody" data-testid="issue-body-viewer"><div data-testid="markdown-body" class="Box-sc markdown-body">{first.body}</div></div></div><div data-testid="issue-timeline-container">{shown}</div></div>'
    )


@layout(nested=True)
def hacker_news() -> str:
    rows = "".join(
        f'<tr class="athing comtr" id="{p.number}"><td><table border="0"><tr><td class="ind" indent="{p.depth}"><img src="s.gif" height="1" width="{40 * p.depth}"></td><td valign="top" class="votelinks"><center><a id="up_{p.number}" href="vote?id={p.number}"><div class="votearrow" title="upvote"></div></a></center></td><td class="default"><div style="margin-top:2px; margin-bottom:-10px;"><span class="comhead"><a href="user?id={p.author}" class="hnuser">{p.author}</a> <span class="age" title="{p.iso[:19]} {p.epoch}"><a href="item?id={p.number}">2 years ago</a></span> <span id="unv_{p.number}"></span><span class="navs"> | <a href="#{p.number + 1}" class="clicky">next</a> <a class="togg clicky" id="{p.number}" n="3" href="javascript:void(0)">[&ndash;]</a><span class="onstory"></span></span></span></div><br><div class="comment"><div class="commtext c00">{p.body.removeprefix("<p>").replace("</p>", "", 1)}</div><div class="reply"><p><font size="1"><u><a href="reply?id={p.number}" rel="nofollow">reply</a></u></font></div></div></td></tr></table></td></tr>'
        for p in POSTS
    )
    return _page(
        f'<center><table id="hnmain"><tr><td bgcolor="#ff6600"><table><tr><td><span class="pagetop"><b class="hnname"><a href="news">Hacker News</a></b> <a href="newest">new</a> | <a href="ask">ask</a></span></td></tr></table></td></tr><tr><td><table class="fatitem"><tr class="athing submission" id="90"><td class="title"><span class="titleline"><a href="https://e.org/reef">{TITLE}</a><span class="sitebit comhead"> (<a href="from?site=e.org"><span class="sitestr">e.org</span></a>)</span></span></td></tr><tr><td colspan="2"></td><td class="subtext"><span class="subline"><span class="score" id="score_90">88 points</span> by <a href="user?id=tde" class="hnuser">tde</a> <span class="age" title="2023-06-13T05:20:00 1686633600"><a href="item?id=90">2 years ago</a></span> | <a href="hide?id=90">hide</a> | <a href="item?id=90">4&nbsp;comments</a></span></td></tr></table><table class="comment-tree">{rows}</table></td></tr></table></center>',
        f"{TITLE} | Hacker News",
    )


def _tree(write: Callable[[Post, str], str]) -> str:
    """Write the posts, each with its replies inside."""
    out, waiting = "", ""
    for p in reversed(POSTS):
        if p.depth:
            waiting = write(p, "") + waiting
        else:
            out, waiting = write(p, waiting) + out, ""
    return out


@layout(nested=True, comments=True)
def wordpress_classic() -> str:
    tree = _tree(
        lambda p, inner: (
            f'<li class="comment even thread-even depth-{p.depth + 1}" id="comment-{p.number}"><div id="div-comment-{p.number}" class="comment-body"><div class="comment-author vcard"><img alt="" src="a.png" class="avatar avatar-32 photo"><cite class="fn"><a href="https://site.example/{p.number}" rel="external nofollow ugc" class="url">{p.author}</a></cite> <span class="says">says:</span></div><div class="comment-meta commentmetadata"><a href="https://e.org/reef/#comment-{p.number}">{p.written("%B %d, %Y at %I:%M %p")}</a>&nbsp;&nbsp;<a class="comment-edit-link" href="#">(Edit)</a></div>{p.body}<div class="reply"><a rel="nofollow" class="comment-reply-link" href="#respond">Reply</a></div></div>{f"<ul class=children>{inner}</ul>" if inner else ""}</li>'
        )
    )
    return _page(
        f'{ARTICLE}<div id="comments"><h3>4 Responses to &#8220;On the second reef&#8221;</h3><ol class="commentlist">{tree}</ol><div id="respond"><h3>Leave a Reply</h3><form><textarea></textarea></form></div></div>'
    )


@layout(nested=True, comments=True)
def wordpress_blocks() -> str:
    tree = _tree(
        lambda p, inner: (
            f'<li id="comment-{p.number}" class="comment byuser even thread-odd depth-{p.depth + 1}"><div class="wp-block-group"><div class="wp-block-avatar"><img alt="{p.author} Avatar" src="a.png" class="avatar avatar-50"></div><div class="wp-block-group"><div class="wp-block-comment-author-name has-small-font-size"><a rel="external nofollow ugc" href="https://site.example/{p.number}" target="_self">{p.author}</a></div><div class="wp-block-group"><div class="wp-block-comment-date has-small-font-size"><time datetime="{p.iso}"><a href="https://e.org/reef/#comment-{p.number}">{p.written("%B %d, %Y at %I:%M %p")}</a></time></div></div><div class="wp-block-comment-content">{p.body}</div><div class="wp-block-comment-reply-link has-small-font-size"><a rel="nofollow" class="comment-reply-link" href="#">Reply</a></div></div></div>{f"<ol>{inner}</ol>" if inner else ""}</li>'
        )
    )
    return _page(
        f'{ARTICLE}<div class="wp-block-comments"><h2 class="wp-block-comments-title">4 responses to &#8220;On the second reef&#8221;</h2><ol class="wp-block-comment-template">{tree}</ol></div>'
    )


@layout(nested=True, comments=True)
def drupal() -> str:
    tree = "".join(
        f'{"<div class=indented>" if p.depth else ""}<article data-comment-user-id="0" id="comment-{p.number}" class="comment js-comment by-anonymous clearfix"><span class="hidden" data-comment-timestamp="{p.epoch}"></span><footer class="comment__meta"><p class="comment__author"><span lang="" typeof="schema:Person" property="schema:name">{p.author}</span></p><p class="comment__time">{p.written("%a, %m/%d/%Y - %H:%M")}</p><p class="comment__permalink"><a href="/comment/{p.number}#comment-{p.number}" hreflang="en">Permalink</a></p></footer><div class="comment__content"><div class="clearfix text-formatted field field--name-comment-body"><div class="field__item">{p.body}</div></div><ul class="links inline"><li class="comment-reply"><a href="/comment/reply/{p.number}">Reply</a></li></ul></div></article>{"</div>" if p.depth else ""}'
        for p in POSTS
    )
    return _page(
        f'{ARTICLE}<section class="comments"><h2 class="title comments__title">Comments</h2>{tree}</section>'
    )


@layout(nested=True, votes=True)
def lemmy() -> str:
    tree = _tree(
        lambda p, inner: (
            f'<li class="comment list-unstyled"><article id="comment-{p.number}" class="details comment-node py-2"><div class="ms-2"><div class="d-flex flex-wrap align-items-center text-muted small"><button class="btn btn-sm btn-link text-muted me-2" aria-label="Collapse">-</button><a class="person-listing d-inline-flex align-items-baseline text-info me-2" title="@{p.author}" href="/u/{p.author}"><span>{p.author}</span></a><span class="badge">OP</span><button class="btn btn-link btn-sm"></button><span class="unselectable pointer text-info" data-tippy-content="{p.votes} points" aria-label="{p.votes} points"><span class="score me-1 fw-bold">{p.votes}</span></span><span class="moment-time pointer unselectable" data-tippy-content="{p.iso}" title="{p.written("%A, %B %d, %Y")}"><time datetime="{p.iso}">2 years ago</time></span></div><div><div class="comment-content"><div class="md-div">{p.body}</div></div><div class="comment-bottom-btns d-flex justify-content-between"><a class="btn btn-link btn-sm" href="/comment/{p.number}" title="link">link</a><button>reply</button></div></div></div></article>{f"<ul class=comments>{inner}</ul>" if inner else ""}</li>'
        )
    )
    return _page(
        f'<div class="post-title"><h1 class="h4 d-inline text-break"><a href="/post/9">{TITLE}</a></h1></div><ul class="comments">{tree}</ul>'
    )


@layout(nested=True, votes=True)
def mbin() -> str:
    tree = "".join(
        f'<blockquote class="section comment entry-comment subject comment-level--{p.depth + 1}" data-controller="comment subject" id="entry-comment-{p.number}"><header><a href="/u/{p.author}" class="user-inline" title="@{p.author}">{p.author}</a>, <a href="/m/sail/t/9/-/comment/{p.number}#entry-comment-{p.number}" class="link-muted"><time class="timeago" title="{p.iso}" datetime="{p.iso}">2 years ago</time></a></header><figure><a href="/u/{p.author}"><img class="user-avatar" src="a.png" alt="avatar"></a></figure><div class="content">{p.body}</div><aside class="vote"><form class="vote__up"><button type="submit" title="Favorite"><span data-subject-target="favCounter">{p.votes}</span></button></form></aside><footer><menu><li><a class="stretched-link" href="#">reply</a></li></menu></footer></blockquote>'
        for p in POSTS
    )
    return _page(
        f'<article class="entry section"><header><h1><a href="https://e.org/reef">{TITLE}</a></h1></header></article><section id="comments" class="comments entry-comments comments-tree">{tree}</section>'
    )


@layout(nested=True)
def lobsters() -> str:
    tree = _tree(
        lambda p, inner: (
            f'<li class="comments_subtree"><input id="comment_folder_{p.number}" class="comment_folder_button" type="checkbox"><div id="c_{p.number}" data-shortid="{p.number}" class="comment"><div class="voters"><a class="upvoter" href="/login">{p.votes}</a></div><div class="details"><div class="byline"><label for="comment_folder_{p.number}" class="comment_folder"></label><a href="/~{p.author}"><img class="avatar" src="a.png" alt="{p.author} avatar"></a><a href="/~{p.author}">{p.author}</a> <a href="/c/x{p.number}"><time title="{p.iso[:19].replace("T", " ")}" datetime="{p.iso[:19].replace("T", " ")}">2 years ago</time></a> | <a href="/c/x{p.number}">link</a></div><div class="comment_text"><div>{p.body}</div></div></div></div><ol class="comments">{inner}</ol></li>'
        )
    )
    return _page(
        f'<ol class="stories"><li id="story_9" class="story"><div class="story_liner"><div class="details"><span class="link h-cite"><a class="u-url" href="https://e.org/reef">{TITLE}</a></span></div></div></li></ol><ol class="comments comments1"><li class="comments_subtree"><ol class="comments">{tree}</ol></li></ol>',
        f"{TITLE} | Lobsters",
    )


@layout(replies=True)
def mastodon_server() -> str:
    posts = "".join(
        f'<div class="entry entry-{"center" if p.number == 1 else "reply"} h-{"entry" if p.number == 1 else "cite"}"><div class="{"detailed-status detailed-status--flex" if p.number == 1 else "status"}"><div class="p-author h-card"><a class="{"detailed-status__display-name u-url" if p.number == 1 else "status__display-name u-url"}" href="https://social.example/@{p.author}"><div class="detailed-status__display-avatar"><img class="u-photo" src="a.png"></div><span class="display-name"><bdi><strong class="display-name__html p-name emojify">{p.author}</strong></bdi> <span class="display-name__account">@{p.author}@social.example</span></span></a></div><div class="status__content emojify"><div class="e-content">{p.body}</div></div><div class="detailed-status__meta"><data class="dt-published" value="{p.iso}"></data><a class="detailed-status__datetime u-url u-uid" href="https://social.example/@{p.author}/{p.number}"><time class="formatted" datetime="{p.iso}" title="{p.written("%b %d, %Y")}">{p.written("%b %d, %Y")}</time></a></div></div></div>'
        for p in POSTS
    )
    return _page(
        f'<div class="public-layout"><div class="activity-stream h-entry">{posts}</div></div>',
        f'Ines_Duarte: "{TITLE}"',
    )


@layout()
def invision_5() -> str:
    posts = "".join(
        f'<a id="findComment-{p.number}"></a><div id="comment-{p.number}"></div><article id="elComment_{p.number}" class="ipsEntry js-ipsEntry ipsEntry--post"><aside class="ipsEntry__author-column"><h3 class="ipsEntry__username"><a href="https://e.org/profile/{p.number}-x/" rel="nofollow">{p.author}</a></h3><div class="ipsEntry__group">Members</div><ul class="ipsEntry__authorStats"><li><a href="https://e.org/profile/{p.number}-x/content/">1.2k</a></li></ul></aside><div id="comment-{p.number}_wrap" class="ipsEntry__content js-ipsEntry__content"><div class="ipsEntry__header"><div class="ipsEntry__header-align"><div class="ipsEntry__date"><a href="https://e.org/topic/9-reef/#findComment-{p.number}" rel="nofollow">Posted <time datetime="{p.iso}">{p.written("%B %d, %Y")}</time></a></div></div></div><div class="ipsEntry__post"><div id="ips_uid_{p.number}" class="ipsRichText ipsRichText--user" data-role="commentContent">{p.body}</div></div><div class="ipsEntry__footer"><menu class="ipsEntry__controls"><li><a href="#">Quote</a></li></menu></div></div></article>'
        for p in POSTS
    )
    return _page(
        f'<h1 class="ipsPageHeader__title"><span>{TITLE}</span></h1><div id="elPostFeed" class="ipsEntries ipsEntries--topic"><form>{posts}</form></div>'
    )


@layout(permalink=False)
def microdata_table() -> str:
    """The name of an author is for machines alone, and the date has an ordinal."""
    posts = "".join(
        f'<tbody itemprop="comment" itemscope itemtype="https://schema.org/Comment"><tr><td class="bold l pu"><span itemprop="author" itemscope itemtype="https://schema.org/Person"><meta itemprop="name" content="{p.author}"></span>by <a href="/{p.author}" class="user">{p.author}</a>: <span class="s">{p.written("%dth %B %Y, %H:%M")}</span></td></tr><tr><td class="l w pd"><div class="narrow" itemprop="text">{p.body}</div><div class="button-row"><a class="pgn">Quote</a></div></td></tr></tbody>'
        for p in POSTS
    )
    return _page(
        f'<h2>{TITLE}</h2><div itemscope itemtype="https://schema.org/DiscussionForumPosting"><table>{posts}</table></div>'
    )


@layout(votes=True)
def ordinals() -> str:
    posts = "".join(
        f'<li class="comment"><p class="comment-byline">{p.author}</p><p>on {p.written("%A %B %d, %Y @%I:%M%p")} (<a href="#c{p.number}">#{p.number}</a>)</p><span class="score">{p.votes} points</span><div class="comment-body">{p.body}</div></li>'
        for p in POSTS
    )
    return _page(f"<h1>{TITLE}</h1><ul>{posts}</ul>")


@layout()
def bbpress() -> str:
    posts = "".join(
        f'<li><div id="post-{p.number}" class="bbp-reply-header"><div class="bbp-meta"><span class="bbp-reply-post-date">{p.written("%B %d, %Y at %I:%M %p")}</span><a href="https://e.org/topic/reef/#post-{p.number}" class="bbp-reply-permalink">#{p.number}</a><span class="bbp-admin-links"></span></div></div><div class="odd bbp-parent-forum-1 post-{p.number} reply type-reply status-publish hentry"><div class="bbp-reply-author"><a href="https://e.org/users/{p.author}/" title="View {p.author}&#039;s profile" class="bbp-author-link"><span class="bbp-author-avatar"><img alt="" src="a.png" class="avatar avatar-80"></span><span class="bbp-author-name">{p.author}</span></a><div class="bbp-author-role">Participant</div></div><div class="bbp-reply-content">{p.body}</div></div></li>'
        for p in POSTS
    )
    return _page(
        f'<h1 class="entry-title">{TITLE}</h1><div id="bbpress-forums"><ul id="topic-1-replies" class="forums bbp-replies"><li class="bbp-header"><div class="bbp-reply-author">Author</div><div class="bbp-reply-content">Posts</div></li><li class="bbp-body"><ul>{posts}</ul></li></ul></div>'
    )


@layout()
def discuz() -> str:
    posts = "".join(
        f'<div id="post_{p.number}"><table id="pid{p.number}" class="plhin" summary="pid{p.number}" cellspacing="0"><tr><td class="pls" rowspan="2"><div id="favatar{p.number}" class="pls favatar"><div class="pi"><div class="authi"><a href="space-uid-{p.number}.html" target="_blank" class="xw1">{p.author}</a></div></div><div class="tns xg2"><table><tr><th><p><a href="x" class="xi2">12</a></p>主题</th></tr></table></div><p><em><a href="g">高级会员</a></em></p></div></td><td class="plc"><div class="pi"><strong><a href="forum.php?mod=redirect&goto=findpost&ptid=1&pid={p.number}" id="postnum{p.number}">{p.number}<sup>#</sup></a></strong><div class="pti"><div class="authi"><em id="authorposton{p.number}">发表于 {p.written("%Y-%m-%d %H:%M:%S")}</em><span class="pipe">|</span><a href="forum.php?authorid={p.number}" rel="nofollow">只看该作者</a></div></div></div><div class="pct"><div class="pcb"><div class="t_fsz"><table cellspacing="0"><tr><td class="t_f" id="postmessage_{p.number}">{p.body}</td></tr></table></div></div></div></td></tr><tr><td class="plc plm"></td></tr><tr><td class="pls"></td><td class="plc"><div class="po hin"><em><a class="fastre" href="#">回复</a></em></div></td></tr></table></div>'
        for p in POSTS
    )
    return _page(
        f'<h1 class="ts"><span id="thread_subject">{TITLE}</span></h1><div id="postlist" class="pl bm">{posts}</div>'
    )


@layout()
def gitlab_issue() -> str:
    def note(p):
        return f'<li id="note_{p.number}" data-note-id="{p.number}" class="timeline-entry note note-wrapper note-comment"><div class="timeline-entry-inner"><div class="timeline-avatar"><a href="/{p.author}"><img alt="{p.author}\'s avatar" src="a.png" class="gl-avatar"></a></div><div class="timeline-content"><div class="note-header"><div class="note-header-info"><a href="/{p.author}" data-user-id="{p.number}" data-username="{p.author}" class="js-user-link author-name-link"><span class="note-header-author-name gl-font-bold">{p.author}</span></a> <span class="text-nowrap author-username"><a class="author-username-link js-user-link" href="/{p.author}"><span class="note-headline-light">@{p.author.lower()}</span></a></span> <span class="note-headline-light note-headline-meta">· <a href="#note_{p.number}" class="note-timestamp system-note-separator"><time title="{p.written("%B %d, %Y %I:%M")}" datetime="{p.iso}">2 years ago</time></a></span></div><div class="note-actions"><button>Reply to comment</button></div></div><div class="timeline-discussion-body"><div class="note-body"><div class="note-text md">{p.body}</div></div></div></div></div></li>'

    return _page(
        f'<h1 class="title">{TITLE}</h1><section class="issuable-discussion"><ul id="notes-list" class="notes main-notes-list timeline">{"".join(map(note, POSTS))}</ul></section>'
    )


@layout()
def gitea_issue() -> str:
    posts = "".join(
        f'<div class="timeline-item comment" id="issuecomment-{p.number}"><a class="timeline-avatar" href="/{p.author}"><img alt="" class="ui avatar" src="a.png" title="{p.author}" width="40" height="40"></a><div class="content comment-container"><div class="comment-header avatar-content-left-arrow" role="heading" aria-level="3"><div class="comment-header-left"><span class="text grey muted-links"><a class="author" href="/{p.author}">{p.author}</a> commented <relative-time prefix="" tense="past" datetime="{p.iso}" data-tooltip-content data-tooltip-interactive="true">{p.written("%Y-%m-%d %H:%M:%S +00:00")}</relative-time></span></div><div class="comment-header-right"><div class="ui label">Member</div></div></div><div class="ui attached segment comment-body"><div id="issuecomment-{p.number}-content" class="render-content markup">{p.body}</div><div id="issuecomment-{p.number}-raw" class="raw-content tw-hidden">raw</div></div></div></div>'
        for p in POSTS
    )
    return _page(f'<h1>{TITLE} <span class="index">#7</span></h1><div class="comment-list">{posts}</div>')


@layout()
def jira() -> str:
    posts = "".join(
        f'<div id="comment-{p.number}" class="issue-data-block activity-comment twixi-block expanded"><div class="twixi-wrap verbose actionContainer"><div class="action-head"><div class="action-details"><a class="user-hover user-avatar" rel="{p.author}" href="/secure/ViewProfile.jspa?name={p.author}"><span class="aui-avatar"><img src="a.png" alt="{p.author}"></span>{p.author}</a> added a comment  - <a href="#comment-{p.number}" class="commentdate_verbose subText"><span class="date user-tz" title="{p.written("%d/%b/%y %H:%M")}"><time class="livestamp" datetime="{p.iso}">{p.written("%d/%b/%y %H:%M")}</time></span></a></div></div><div class="action-body flooded">{p.body}</div><div class="action-links"><a href="#" class="issue-comment-reply">Reply</a></div></div></div>'
        for p in POSTS
    )
    return _page(
        f'<h1 id="summary-val">{TITLE}</h1><div id="activitymodule"><div id="issue_actions_container">{posts}</div></div>'
    )


@layout()
def telegram() -> str:
    posts = "".join(
        f'<div class="tgme_widget_message_wrap js-widget_message_wrap"><div class="tgme_widget_message text_not_supported_wrap js-widget_message" data-post="reef/{p.number}"><div class="tgme_widget_message_user"><a href="https://t.me/reef"><i class="tgme_widget_message_user_photo"><img src="a.jpg"></i></a></div><div class="tgme_widget_message_bubble"><div class="tgme_widget_message_author accent_color"><a class="tgme_widget_message_owner_name" href="https://t.me/{p.author}"><span dir="auto">{p.author}</span></a></div><div class="tgme_widget_message_text js-message_text" dir="auto">{p.body}</div><div class="tgme_widget_message_footer compact js-message_footer"><div class="tgme_widget_message_info short js-message_info"><span class="tgme_widget_message_views">1.2K</span><span class="copyonly"> views</span><span class="tgme_widget_message_meta"><a class="tgme_widget_message_date" href="https://t.me/reef/{p.number}"><time datetime="{p.iso}" class="time">{p.written("%H:%M")}</time></a></span></div></div></div></div></div>'
        for p in POSTS
    )
    return _page(
        f'<main class="tgme_main"><h1>{TITLE}</h1><section class="tgme_channel_history js-message_history">{posts}</section></main>'
    )


@layout(nested=True, comments=True, votes=True)
def isso() -> str:
    tree = _tree(
        lambda p, inner: (
            f'<div class="isso-comment" id="isso-{p.number}"><div class="isso-avatar"><svg></svg></div><div class="isso-text-wrapper"><div role="meta" class="isso-comment-header"><span class="isso-author">{p.author}</span><span class="isso-spacer">•</span><a class="isso-permalink" href="#isso-{p.number}"><time title="{p.written("%c")}" datetime="{p.iso}">2 years ago</time></a></div><div class="isso-text">{p.body}</div><div class="isso-comment-footer"><span class="isso-votes">{p.votes}</span><a class="isso-upvote" href="#"><svg></svg></a><span class="isso-spacer">|</span><a class="isso-reply" href="#">Reply</a></div><div class="isso-follow-up">{inner}</div></div></div>'
        )
    )
    return _page(
        f'{ARTICLE}<section id="isso-thread"><h4 class="isso-thread-heading">4 Comments</h4><div id="isso-root">{tree}</div></section>'
    )


@layout(nested=True, comments=True)
def giscus() -> str:
    tree = _tree(
        lambda p, inner: (
            f'<div class="gsc-comment"><div class="color-bg-primary w-full min-w-0 rounded-md border gsc-comment-box"><div class="gsc-comment-header"><div class="gsc-comment-author"><a rel="nofollow noopener noreferrer" target="_blank" href="https://github.com/{p.author}" class="gsc-comment-author-avatar"><img class="rounded-full" src="a.png" width=30 height=30 alt="@{p.author}"><span class="link-primary overflow-hidden text-ellipsis font-semibold">{p.author}</span></a><a rel="nofollow" target="_blank" href="https://github.com/o/r/discussions/1#discussioncomment-{p.number}" class="link-secondary overflow-hidden text-ellipsis"><time class="whitespace-nowrap" title="{p.written("%b %d, %Y, %I:%M %p")}" datetime="{p.iso}">{p.written("%b %d, %Y")}</time></a></div></div><div dir="auto" class="markdown gsc-comment-content">{p.body}</div><div class="gsc-comment-footer"><div class="gsc-comment-reactions"><button>👍</button></div></div>{f"<div class=gsc-replies>{inner}</div>" if inner else ""}</div></div>'
        )
    )
    return _page(
        f'{ARTICLE}<div class="giscus"><main class="w-full mx-auto"><div class="gsc-comments"><div class="gsc-header"><h4 class="gsc-comments-count">4 comments</h4></div><div class="gsc-timeline">{tree}</div></div></main></div>'
    )


@layout(nested=True, comments=True)
def ghost_comments() -> str:
    tree = _tree(
        lambda p, inner: (
            f'<div class="flex w-full flex-row mb-7 comment" data-testid="comment-component" id="{p.number}"><div class="avatar"><img alt="Avatar" src="a.png"></div><div class="grow"><div class="mb-2 flex"><h4 class="font-sans" data-testid="member-name">{p.author}</h4><div class="flex text-sm"><a href="#ghost-comments-{p.number}"><time datetime="{p.iso}" title="{p.written("%d %b %Y, %H:%M")}">{p.written("%d %b %Y")}</time></a></div></div><div class="gh-comment-content" data-testid="comment-content">{p.body}</div><div class="flex"><button data-testid="like-button">2</button><button data-testid="reply-button">Reply</button></div>{inner}</div></div>'
        )
    )
    return _page(
        f'{ARTICLE}<div id="ghost-comments-root"><section class="ghost-display"><h2>Member discussion</h2><div class="comments">{tree}</div></section></div>'
    )


@layout(nested=True, comments=True, votes=True)
def substack_comments() -> str:
    tree = _tree(
        lambda p, inner: (
            f'<div class="comment"><div id="comment-{p.number}" class="comment-anchor"></div><div id="comment-{p.number}-reply" class="comment-anchor"></div><table class="comment-content" role="presentation"><tbody><tr><td class="comment-head"><div class="profile-img-wrap"><a href="https://substack.com/profile/{p.number}-x"><img src="a.png" class="img" alt="{p.author}"></a></div></td><td class="comment-rest"><div class="comment-meta"><span><a href="https://substack.com/profile/{p.number}-x" class="commenter-name">{p.author}</a></span><a href="https://e.org/p/reef/comment/{p.number}" rel="nofollow" native="true" title="{p.written("%b %d, %Y, %I:%M %p")}" class="comment-timestamp">{p.written("%b %d, %Y")}</a></div><div class="comment-body">{p.body}</div><div class="comment-actions"><a class="like-button"><span class="label">{p.votes} likes</span></a><a>Reply</a><a>Share</a></div></td></tr></tbody></table>{f"<div class=comment-list><div class=comment-list-items>{inner}</div></div>" if inner else ""}</div>'
        )
    )
    return _page(
        f'{ARTICLE}<div id="discussion" class="single-post-section comments-section"><h4>4 Comments</h4><div class="comment-list"><div class="comment-list-items">{tree}</div></div></div>'
    )


@layout()
def bluesky() -> str:
    posts = "".join(
        f'<div role="link" data-testid="postThreadItem-by-{p.author.lower()}.example" tabindex="0"><div><a href="/profile/{p.author.lower()}.example" aria-label="{p.author}\'s avatar" role="link"><img src="a.jpg"></a></div><div><div><a href="/profile/{p.author.lower()}.example" role="link"><div dir="auto">{p.author}</div></a><a href="/profile/{p.author.lower()}.example"><div dir="auto">@{p.author.lower()}.example</div></a><a href="/profile/{p.author.lower()}.example/post/{p.number}" aria-label="{p.written("%B %d, %Y at %I:%M %p")}" data-tooltip="{p.written("%B %d, %Y at %I:%M %p")}"><div>{p.written("%b %d, %Y")}</div></a></div><div data-testid="postText" dir="auto">{p.body}</div><div><button aria-label="Reply"><div>1</div></button></div></div></div>'
        for p in POSTS
    )
    return _page(f'<main role="main"><h1>{TITLE}</h1><div data-testid="postThreadScreen">{posts}</div></main>')


@layout()
def zulip() -> str:
    posts = "".join(
        f'<div class="message_row include-sender" id="message-row-1-{p.number}" role="listitem"><div class="messagebox"><div class="messagebox-content"><span class="message_sender"><span class="sender_name"><span class="sender_name_text">{p.author}</span></span></span><a href="#narrow/near/{p.number}" class="message-time" title="{p.written("%B %d, %Y %I:%M %p")}">{p.written("%b %d, %Y")}</a><div class="message_content rendered_markdown">{p.body}</div></div></div></div>'
        for p in POSTS
    )
    return _page(f'<h1>{TITLE}</h1><div class="message-list">{posts}</div>')


@layout()
def punbb() -> str:
    posts = "".join(
        f'<div id="p{p.number}" class="blockpost row{"odd" if p.number % 2 else "even"}"><h2><span><span class="conr">#{p.number}</span> <a href="viewtopic.php?pid={p.number}#p{p.number}">{p.written("%Y-%m-%d %H:%M:%S")}</a></span></h2><div class="box"><div class="inbox"><div class="postbody"><div class="postleft"><dl><dt><strong><a href="profile.php?id={p.number}">{p.author}</a></strong></dt><dd class="usertitle"><strong>Member</strong></dd><dd><span>Registered: 2010-01-02</span></dd><dd><span>Posts: 1,203</span></dd></dl></div><div class="postright"><h3>Re: {TITLE}</h3><div class="postmsg">{p.body}</div></div></div></div><div class="inbox"><div class="postfoot clearb"><div class="postfootright"><ul><li class="postreport"><span><a href="misc.php?report={p.number}">Report</a></span></li><li class="postquote"><span><a href="post.php?qid={p.number}">Quote</a></span></li></ul></div></div></div></div></div>'
        for p in POSTS
    )
    return _page(f'<h1 class="x">{TITLE}</h1><div id="punviewtopic">{posts}</div>')


@layout(nested=True, comments=True, permalink=False)
def lwn() -> str:
    tree = _tree(
        lambda p, inner: (
            f'<a name="CommAnchor{p.number}"></a><details class="CommentBox" open><summary class="{"IsRead" if p.depth else "IsRead CommentTitleTop"}"><h3 class="CommentTitle">On the second reef</h3><p class="CommentPoster"><b></b> Posted {p.written("%b %d, %Y %H:%M")} UTC ({p.written("%a")}) by <b>{p.author}</b> (subscriber, #{p.number}) [<a href="/Articles/{p.number}/">Link</a>] (4 responses)</p></summary><div class="FormattedComment">{p.body}</div><div class="CommentReplyButton"><form><input type="submit" value="Reply to this comment"></form></div>{inner}</details>'
        )
    )
    return _page(f'{ARTICLE}<div id="comments"><hr>{tree}</div>')


@layout(nested=True, comments=True, votes=True)
def lesswrong() -> str:
    tree = _tree(
        lambda p, inner: (
            f'<div class="CommentFrame-commentsNodeRoot comments-node CommentFrame-node" id="{p.number}a"><div><div><div class="recent-comments-node"><div class="CommentsItem-root"><div class="CommentsItem-body"><div class="CommentsItemMeta-root"><span class="CommentsItemMeta-leftSection"><span class="UserNameDeleted"><a class="UsersNameDisplay-noColor" href="/users/{p.author.lower()}">{p.author}</a></span><span class="CommentsItemDate-root CommentsItemDate-date"><a rel="nofollow" href="/posts/x/reef?commentId={p.number}"><time datetime="{p.iso}"><span>2y</span></time></a></span><span class="OverallVoteAxis-root"><span class="LWTooltip-root"><span class="OverallVoteAxis-voteScore">{p.votes}</span></span></span></span></div><div><div class="CommentBody-root commentBody">{p.body}</div></div><div class="CommentBottom-bottom"><a class="comments-item-reply-link CommentsItem-replyLink">Reply</a></div></div></div></div></div></div>{f"<div class=CommentsNode-children>{inner}</div>" if inner else ""}</div>'
        )
    )
    return _page(
        f'{ARTICLE}<div class="CommentsListSection-root" id="comments"><div>4 comments, sorted by top scoring</div><div class="CommentsTable">{tree}</div></div>'
    )


@layout()
def x_thread() -> str:
    posts = "".join(
        f'<div data-testid="cellInnerDiv"><article aria-labelledby="id{p.number}" role="article" tabindex="0" data-testid="tweet"><div><div data-testid="Tweet-User-Avatar"><a href="/{p.author}"><img src="a.jpg" alt=""></a></div><div><div data-testid="User-Name"><div><a href="/{p.author}" role="link"><div dir="ltr"><span><span>{p.author}</span></span></div></a></div><div><a href="/{p.author}" role="link" tabindex="-1"><div dir="ltr"><span>@{p.author}</span></div></a><span>·</span><a href="/{p.author}/status/{p.number}" dir="ltr" aria-label="{p.written("%b %d")}"><time datetime="{p.iso}">{p.written("%b %d, %Y")}</time></a></div></div><div data-testid="tweetText" lang="en" dir="auto">{p.body}</div><div role="group" aria-label="3 replies, 2 reposts, 10 likes"><button data-testid="reply"><span>3</span></button><button data-testid="retweet"><span>2</span></button><button data-testid="like"><span>10</span></button></div></div></div></article></div>'
        for p in POSTS
    )
    return _page(
        f'<main role="main"><h1 dir="ltr">{TITLE}</h1><section aria-labelledby="a"><div aria-label="Timeline: Conversation">{posts}</div></section></main>'
    )


@layout(comments=True, permalink=False)
def linkedin() -> str:
    posts = "".join(
        f'<section class="comment flex grow-1 items-stretch leading-[16px] comment-with-action my-1.5"><div><a class="comment__author-image" href="https://www.linkedin.com/in/{p.author}"><img alt="" src="a.jpg"></a></div><div class="w-full min-w-0"><div class="comment__body"><div class="comment__header flex flex-col"><a class="text-sm link-styled no-underline leading-open comment__author truncate pr-6" href="https://www.linkedin.com/in/{p.author}">{p.author}</a><p class="!text-xs text-color-text-low-emphasis leading-[1.33333] mb-0.5 truncate comment__author-headline">Sailor at Reef Ltd.</p><span class="text-xs text-color-text-low-emphasis comment__duration-since">2y</span><time datetime="{p.iso}" class="x">{p.written("%B %d, %Y")}</time></div><div class="attributed-text-segment-list__container relative mt-1"><div class="attributed-text-segment-list__content text-color-text !text-sm whitespace-pre-wrap break-words comment__text babybear:mt-0.5" dir="ltr">{p.body}</div></div></div><div class="comment__actions flex"><a class="comment__action" href="/login">Like</a><a class="comment__reply" href="/login">Reply</a></div></div></section>'
        for p in POSTS
    )
    return _page(f'{ARTICLE}<section class="comments"><h2>Comments</h2>{posts}</section>')


@layout(nested=True, comments=True, votes=True)
def slashdot() -> str:
    tree = _tree(
        lambda p, inner: (
            f'<li id="tree_{p.number}" class="comment"><div id="comment_status_{p.number}" class="commentstatus"></div><div id="comment_{p.number}" class="cw full"><div id="comment_top_{p.number}" class="commentTop"><div class="title"><h4><a name="{p.number}" href="//e.org/comments.pl?sid=1&cid={p.number}">{TITLE}</a> <span id="comment_score_{p.number}" class="score">(Score:<a href="#">{p.votes}</a>, Insightful)</span></h4></div><div class="details"><span class="by">by <a href="//e.org/~{p.author}">{p.author}</a></span> <span class="otherdetails" id="comment_otherdetails_{p.number}">on {p.written("%A %B %d, %Y @%I:%M%p")} (<a href="//e.org/comments.pl?sid=1&cid={p.number}">#{p.number}</a>)</span></div></div><div class="commentBody"><div id="comment_body_{p.number}">{p.body}</div></div><div class="commentSub" id="comment_sub_{p.number}"><span class="nbutton"><p><b><a href="/r">Reply to This</a></b></p></span></div></div>{f"<ul id=commtree_{p.number}>{inner}</ul>" if inner else ""}</li>'
        )
    )
    return _page(f'{ARTICLE}<div id="commentwrap"><ul id="commentlisting">{tree}</ul></div>')


@layout(nested=True, comments=True)
def tildes() -> str:
    tree = _tree(
        lambda p, inner: (
            f'<li class="tree-item"><article id="comment-{p.number}" class="comment" data-comment-id36="{p.number}" data-comment-depth="{p.depth}"><div class="comment-itself"><header class="comment-header"><button class="btn btn-light">[–]</button><div class="comment-user-info"><a href="/user/{p.author}" class="link-user">{p.author}</a></div><time class="comment-posted-time time-responsive" datetime="{p.iso}" title="{p.written("%Y-%m-%d %H:%M")}">{p.written("%B %d, %Y")}</time><div class="comment-nav"><a class="comment-nav-link" href="/c/{p.number}">Link</a></div></header><div class="comment-text">{p.body}</div><div class="comment-votes">12 votes</div><menu class="btn-post"><li><button class="btn-post-action">Reply</button></li></menu></div>{f"<ol class=comment-tree comment-tree-replies>{inner}</ol>" if inner else ""}</article></li>'
        )
    )
    return _page(
        f'{ARTICLE}<section class="topic-comments"><header class="topic-comments-header"><h2>4 comments</h2></header><ol class="comment-tree" id="comments">{tree}</ol></section>'
    )


@layout(votes=True)
def question2answer() -> str:
    posts = "".join(
        f'<div class="{"qa-q-view" if p.number == 1 else "qa-a-list-item"} hentry {"question" if p.number == 1 else "answer"}" id="{"q" if p.number == 1 else "a"}{p.number}"><div class="qa-voting"><span class="qa-netvote-count"><span class="qa-netvote-count-data">{p.votes}</span><span class="qa-netvote-count-pad"> votes</span></span></div><div class="qa-a-item-main"><div class="qa-a-item-content"><div class="entry-content">{p.body}</div></div><span class="qa-a-item-meta"><a href="/7/reef?show={p.number}#a{p.number}" class="qa-a-item-what">answered</a> <span class="qa-a-item-when"><span class="published"><time datetime="{p.iso}">{p.written("%b %d, %Y")}</time></span></span> <span class="qa-a-item-who">by <span class="vcard author"><a href="/user/{p.author}" class="qa-user-link url fn entry-title nickname">{p.author}</a></span></span></span></div></div>'
        for p in POSTS
    )
    return _page(f'<h1>{TITLE}</h1><div class="qa-main">{posts}</div>')


@layout(permalink=False)
def google_groups() -> str:
    posts = "".join(
        f'<section role="listitem" data-doc-id="{p.number}" data-author="{p.author}" class="message"><div><h3>{p.author}</h3><span class="zX2W9c">{p.written("%b %d, %Y, %I:%M:%S %p")}</span></div><div class="ptW7te" role="region"><div dir="ltr">{p.body}</div></div><div><button aria-label="Reply">Reply</button></div></section>'
        for p in POSTS
    )
    return _page(f'<h1>{TITLE}</h1><div role="list">{posts}</div>')


@layout()
def simple_html5() -> str:
    posts = "".join(
        f'<article class="reply-card" id="r-{p.number}"><header><img src="a.jpg" alt=""><strong>{p.author}</strong> <small>{p.written("%d %B %Y")}</small></header><div class="reply-body">{p.body}</div><footer><a href="#r-{p.number}">Permalink</a><a href="#">Report</a></footer></article>'
        for p in POSTS
    )
    return _page(f"<main><h1>{TITLE}</h1>{posts}</main>")


@layout()
def discuz_chinese() -> str:
    posts = "".join(
        f'<div id="post_{p.number}"><table id="pid{p.number}" class="plhin" cellspacing="0"><tr><td class="pls" rowspan="2"><div class="pi"><div class="authi"><a href="home.php?mod=space&amp;uid=3{p.number}" target="_blank" class="xw1">{p.author}</a></div></div><div><div class="avatar"><a href="home.php?mod=space&amp;uid=3{p.number}" class="avtm"><img src="a.jpg"></a></div></div><p><em><a href="home.php?mod=spacecp">中级会员</a></em></p><dl class="pil cl"><dt>主题</dt><dd>12</dd><dt>帖子</dt><dd>340</dd></dl></td>'
        f'<td class="plc"><div class="pi"><strong><a href="forum.php?mod=redirect&amp;pid={p.number}" id="postnum{p.number}">{p.number}<sup>#</sup></a></strong><div class="pti"><div class="pdbt"></div><div class="authi"><em id="authorposton{p.number}">发表于 {p.written("%Y-%-m-%-d %H:%M:%S")}</em><span class="pipe">|</span><a href="forum.php?authorid=3">只看该作者</a></div></div></div><div class="pct"><div class="pcb"><div class="t_fsz"><table cellspacing="0"><tr><td class="t_f" id="postmessage_{p.number}">{p.body}</td></tr></table></div></div></div></td></tr><tr><td class="plc plm"><div class="sign">https://example.net</div></td></tr><tr><td class="pls"></td><td class="plc"><div class="po hin"><div class="pob cl"><em><a class="fastre" href="forum.php?mod=post">回复</a></em><p><a href="javascript:;">举报</a></p></div></div></td></tr></table></div>'
        for p in POSTS
    )
    return _page(
        f'<div id="ct" class="wp cl"><div id="postlist" class="pl bm"><table><tr><td class="pls ptn pbn"><span class="xg1">查看:</span> <span class="xi1">812</span></td><td class="plc ptm pbn"><h1 class="ts"><span id="thread_subject">{TITLE}</span></h1></td></tr></table>{posts}</div></div>'
    )
