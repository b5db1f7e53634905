//! Sections of preformatted text: RFCs, pages of `man`, the help of an editor.

use insta::assert_snapshot;

use crate::markup::text;

#[test]
fn headings_of_an_rfc_are_sections() {
    let html = "<pre><span class=h1>A Protocol</span>\n\nAbstract\n\n   It does a thing.\n
<span class=h2><a class=selflink id=section-1 href='#section-1'>1</a>.  Introduction</span>\n
   See <a href='#section-1.1'>Section 1.1</a>.\n
<span class=h3><a class=selflink id=section-1.1 href='#section-1.1'>1.1</a>.  Terms</span>\n
   A host is a machine.\n     It has a name.\n</pre>";
    assert_snapshot!(text(html), @"
    # A Protocol

    ```
    Abstract

       It does a thing.
    ```

    ## 1. Introduction

    ```
    See Section 1.1.
    ```

    ### 1.1. Terms

    ```
    A host is a machine.
      It has a name.
    ```
    ");
}

#[test]
fn bold_lines_of_a_manual_page_are_sections() {
    let html = "<pre>\nSMTP(8)      SMTP(8)\n\n<b>NAME</b>\n       smtp - client\n
<b>SYNOPSIS</b>\n       <b>smtp</b> [options]\n
<b>DESCRIPTION</b>\n       It sends mail.\n\n       <b>-v</b>     Says more.\n</pre>";
    assert_snapshot!(text(html), @"
    ```
    SMTP(8)      SMTP(8)
    ```

    ## NAME

    ```
    smtp - client
    ```

    ## SYNOPSIS

    ```
    smtp [options]
    ```

    ## DESCRIPTION

    ```
    It sends mail.

    -v     Says more.
    ```
    ");
    // A few bold lines in a piece of code are none.
    let code = "<pre><b>main:</b>\n    ret\n<b>exit:</b>\n    ret</pre>";
    assert_eq!(text(code), "```\nmain:\n    ret\nexit:\n    ret\n```");
}

#[test]
fn places_in_the_help_of_an_editor_are_sections() {
    let rule = "=".repeat(78);
    let body = "\tThe text of it.\n".repeat(20);
    let html = format!(
        "<pre>\n*<a name=fold.txt></a><b>fold.txt</b>*\tFor the editor\n\n{body}{rule}\n\
         *<a name=28.1></a><b>28.1</b>*\tWhat is <a href=x>folding</a>?\n\n{body}\
         \t\t\t*<a name=zo></a><b>zo</b>* *<a name=zO></a><b>zO</b>*\nzo\tOpens a fold.\n\
         {body}</pre>"
    );
    let text = text(&html);
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with(['#', '='])).collect();
    assert_eq!(lines, ["### fold.txt For the editor", "## 28.1 What is folding?", "### zo zO"]);
    assert!(text.ends_with("\tThe text of it.\n```") && text.contains("```\nzo\tOpens a fold.\n"));
    // A listing with a place for each line is code.
    let line = |nth: usize| format!("<a name=l{nth}></a>call f{nth}\n");
    let listing: String = (0..100).map(line).collect();
    assert!(!self::text(&format!("<pre>{listing}</pre>")).contains('#'));
}
