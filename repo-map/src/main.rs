fn main() {
    let a: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&a[1]).unwrap();
    let l = if let Ok(n) = std::env::var("LANGUAGE_NAME") { repo_map::language::named(&n) } else { repo_map::language::of_path(&a[1]) }.expect("no language");
    let q = a.get(2).map(|q| std::fs::read_to_string(q).unwrap());
    match repo_map::probe(l, q.as_deref(), &text) { Ok(s) => print!("{s}"), Err(e) => { eprintln!("{e}"); std::process::exit(1) } }
}
