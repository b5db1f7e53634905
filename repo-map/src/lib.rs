//! repo-map
pub mod language;
pub mod level;
pub mod outline;
mod render;

/// probe
pub fn probe(language: &'static language::Language, query: Option<&str>, text: &str) -> Result<String, String> {
    use std::fmt::Write;
    let grammar: tree_sitter::Language = language.grammar.into();
    let query = match query { Some(q) => q.to_string(), None => language.query.to_string() };
    if std::env::var_os("TREE").is_some() {
        let mut p = tree_sitter::Parser::new(); p.set_language(&grammar).unwrap();
        let t = p.parse(text, None).unwrap();
        let mut out = String::new();
        fn walk(c: &mut tree_sitter::TreeCursor, text: &str, d: usize, out: &mut String) {
            let n = c.node();
            if n.is_named() || std::env::var_os("ANON").is_some() {
                let t: String = text[n.byte_range()].lines().next().unwrap_or("").chars().take(50).collect();
                let f = c.field_name().map(|f| format!("{f}: ")).unwrap_or_default();
                let _ = writeln!(out, "{:w$}{f}({}) {:?}", "", n.kind(), t, w = d * 2);
            }
            if c.goto_first_child() { loop { walk(c, text, d + 1, out); if !c.goto_next_sibling() { break } } c.goto_parent(); }
        }
        walk(&mut t.walk(), text, 0, &mut out);
        return Ok(out);
    }
    let q = tree_sitter::Query::new(&grammar, &query).map_err(|e| format!("query error: {e}"))?;
    for n in q.capture_names() {
        if let Some(k) = n.strip_prefix("item.") { if !outline::Kind::ALL.iter().any(|kk| kk.as_str() == k) { return Err(format!("unknown kind @item.{k}")); } }
        else if !["comment","attribute","wrapper","doc.file","name","trait","signature","body","value","doc","visibility"].contains(n) && !n.starts_with('_') { return Err(format!("unknown capture @{n}")); }
    }
    let o = outline::outline_with(language, &q, text);
    let mut out = String::new();
    let depth = |i: usize| { let mut d = 0; let mut p = o.items[i].parent; while let Some(x) = p { d += 1; p = o.items[x].parent; } d };
    let _ = writeln!(out, "=== outline (trouble: {:?})", o.trouble);
    for (i, item) in o.items.iter().enumerate() { if !item.kind.is_member() { out.push_str(&render::item_outline(item, depth(i))); } }
    let _ = writeln!(out, "=== interface");
    if let Some(d) = &o.doc { let _ = writeln!(out, "{}", &text[d.clone()]); }
    let mut tails: Vec<(usize, String)> = vec![];
    for (i, item) in o.items.iter().enumerate() {
        while tails.last().is_some_and(|(p, _)| { let mut q = item.parent; loop { match q { Some(x) if x == *p => break false, Some(x) => q = o.items[x].parent, None => break true } } }) { out.push_str(&tails.pop().unwrap().1); }
        let (head, tail) = render::item_interface(item, text, item.has_children);
        out.push_str(&head); tails.push((i, tail));
    }
    while let Some((_, t)) = tails.pop() { out.push_str(&t); }
    let _ = writeln!(out, "=== items");
    for item in &o.items { let _ = writeln!(out, "{} {} [{}] lines {}-{} doc:{}", item.kind, item.address(), item.visibility.as_str(), item.lines.0, item.lines.1, item.doc.is_some()); }
    Ok(out)
}
