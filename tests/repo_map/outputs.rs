//! Files that are named for an output: whole or as they were, and written where the name leads.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use test_support::{Repo, ran, service};

use crate::program;

const MAP: [&str; 3] = ["--goal", "session refresh", "--no-cache"];

fn map_to(repo: &Repo, output: &str) -> test_support::Ran {
    program().run(repo.path(), &[&MAP[..], &["-o", output]].concat())
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_full_disk_leaves_the_files_that_were_there() {
    let repo = service();
    let outputs = ["old.md", "old.yaml", "old.html"];
    for name in outputs {
        repo.write(&format!("out/{name}"), b"as it was\n");
    }
    for args in [["-o", "out/old.md"], ["--plan-out", "out/old.yaml"], ["--report", "out/old.html"]]
    {
        let ran = ran(program()
            .command_on_full_disk(repo.path(), 1)
            .args(MAP)
            .args(args)
            .output()
            .unwrap());
        let said = format!("repo-map: writing {}: File too large (os error 27)\n", args[1]);
        assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr), (1, "", said));
        assert_eq!(fs::read_to_string(repo.path().join(args[1])).unwrap(), "as it was\n");
    }
    assert_eq!(
        names(&repo.path().join("out")),
        ["old.html", "old.md", "old.yaml"],
        "nothing is left beside them"
    );
}

#[test]
fn a_file_keeps_its_permissions_and_a_link_its_place() {
    let repo = service();
    let target = repo.write("shared/map.md", b"as it was");
    fs::set_permissions(&target, Permissions::from_mode(0o640)).unwrap();
    symlink("shared/map.md", repo.path().join("link.md")).unwrap();
    symlink("shared/new.md", repo.path().join("hanging.md")).unwrap();
    for (name, leads_to) in [("link.md", "shared/map.md"), ("hanging.md", "shared/new.md")] {
        assert_eq!(map_to(&repo, name).code, 0);
        assert!(repo.path().join(name).is_symlink());
        assert!(
            fs::read_to_string(repo.path().join(leads_to))
                .unwrap()
                .starts_with("# Repository map\n")
        );
    }
    assert_eq!(target.metadata().unwrap().mode() & 0o777, 0o640);
    // A file that is made has the permissions that every file of this user gets.
    let usual = repo.write("usual", b"").metadata().unwrap().mode();
    assert_eq!(repo.path().join("shared/new.md").metadata().unwrap().mode(), usual);
    assert_eq!(names(&repo.path().join("shared")), ["map.md", "new.md"]);
}

#[test]
fn pipes_and_open_files_are_written_as_they_come() {
    let repo = service();
    let right = program().run(repo.path(), &MAP).stdout;
    assert_eq!(map_to(&repo, "/dev/stdout").stdout, right);
    assert_eq!(map_to(&repo, "/dev/null").code, 0);
    assert_eq!(
        map_to(&repo, "/dev/full").stderr,
        "repo-map: writing /dev/full: No space left on device (os error 28)\n"
    );

    let pipe = repo.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    assert_eq!(map_to(&repo, "pipe").code, 0);
    assert_eq!(reader.join().unwrap(), right);
    fs::remove_file(pipe).unwrap();

    // The open file is the one that is written: no other is put in its place.
    let open = fs::File::create(repo.path().join("open.md")).unwrap();
    let mut command = program().command(repo.path());
    assert!(
        command
            .args(MAP)
            .args(["-o", "/dev/stdout"])
            .stdout(open.try_clone().unwrap())
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(open.metadata().unwrap().len(), right.len() as u64);
}
