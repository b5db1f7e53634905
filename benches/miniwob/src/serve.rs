//! The pages on the loopback.

#![expect(clippy::disallowed_methods, reason = "the rim: reads pages and listens on the loopback")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context as _, Result};

/// Returns the names of the tasks of a folder, in order.
pub(crate) fn tasks(folder: &Path) -> Result<Vec<String>> {
    let place = folder.join("miniwob");
    let mut names = Vec::new();
    for entry in fs::read_dir(&place).with_context(|| place.display().to_string())? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "html")
            && let Some(name) = path.file_stem()
        {
            names.push(name.to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// Serves a folder until the program ends, and returns its address.
pub(crate) fn start(folder: &Path) -> Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").context("listening on the loopback")?;
    let address = format!("http://{}/", listener.local_addr()?);
    let root = folder.to_owned();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let root = root.clone();
            // A client that breaks off is its own affair.
            thread::spawn(move || drop(answer(stream, &root)));
        }
    });
    Ok(address)
}

fn answer(mut stream: TcpStream, root: &Path) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut request = String::new();
    reader.read_line(&mut request)?;
    let mut line = String::new();
    while reader.read_line(&mut line)? > 2 {
        line.clear();
    }
    let path = request.split(' ').nth(1).unwrap_or_default().split(['?', '#']).next();
    let mut file = PathBuf::from(root);
    let parts = path.unwrap_or_default().split('/').filter(|part| !part.is_empty());
    file.extend(parts.filter(|part| *part != ".."));
    let (status, body) = match fs::read(&file) {
        Ok(body) => ("200 OK", body),
        Err(_) => ("404 Not Found", Vec::new()),
    };
    let kind = match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n",
        body.len()
    )?;
    stream.write_all(&body)
}
