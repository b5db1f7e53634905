//! A place to run a page in: a home of its own, our programs, stand-ins for those of others, no
//! network.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;
use test_support::{Ran, packages, ran, service};

use crate::page;
use crate::programs::program;
use crate::server::{Answer, Received, Server, status};

/// What of this repository is in the clone that pages work in.
const OF_THE_CLONE: [&str; 8] = [
    "README.md",
    "CHANGELOG.md",
    "Cargo.toml",
    "docs",
    "flight-plans",
    "repo-map/src",
    "repo-map/queries",
    "navigator/src",
];

/// Programs of others that pages hand something to: they take it and say nothing. `pbcopy` comes
/// before every other way to the clipboard.
const STAND_INS: [&str; 4] = ["pbcopy", "claude", "codex", "llm"];

/// Where a server of one's own is in the pages.
const OWN_SERVER: &str = "http://127.0.0.1:8080";

/// What every place begins with.
pub(crate) struct Template {
    folder: TempDir,
}

impl Template {
    pub(crate) fn make(root: &Path) -> Template {
        let folder = tempfile::tempdir().unwrap();
        let (code, programs) = (folder.path().join("home/code"), folder.path().join("programs"));
        fs::create_dir_all(&programs).unwrap();
        for name in ["navigator", "repo-map", "site-map"] {
            symlink(program(name), programs.join(name)).unwrap();
        }
        for name in STAND_INS {
            let stand_in = programs.join(name);
            fs::write(&stand_in, "#!/bin/sh\nexec cat > /dev/null\n").unwrap();
            fs::set_permissions(&stand_in, fs::Permissions::from_mode(0o755)).unwrap();
        }
        fs::create_dir_all(&code).unwrap();
        let settings_of_git =
            "[user]\nname = You\nemail = you@example.com\n[init]\ndefaultBranch = main\n";
        fs::write(folder.path().join("home/.gitconfig"), settings_of_git).unwrap();
        copy(&folder_of_reqwest(root), &code.join("reqwest"));
        copy(service().path(), &code.join("service"));
        for part in OF_THE_CLONE {
            copy(&root.join(part), &code.join("repo-map").join(part));
        }
        let template = Template { folder };
        for name in ["reqwest", "service", "repo-map"] {
            let commit = format!(
                "cd \"{}\" && git init -q && git add -A && git commit -qm 'The first'",
                code.join(name).display()
            );
            let ran = template.shell(template.folder.path(), &commit, None);
            assert_eq!(ran.code, 0, "{}", ran.stderr);
        }
        template
    }

    /// Runs a script in a home.
    fn shell(&self, folder: &Path, script: &str, server: Option<&Server>) -> Ran {
        let programs = self.folder.path().join("programs");
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new("bash");
        command
            .args(["-e", "-o", "pipefail", "-c", script])
            .env_clear()
            .stdin(Stdio::null())
            .current_dir(folder);
        command
            .env("HOME", folder.join("home"))
            .env("PATH", format!("{}:{path}", programs.display()))
            // Where `cargo` is a proxy, it looks for its compiler in the home of the person.
            .envs(rustup_home().map(|folder| ("RUSTUP_HOME", folder)))
            .envs(std::env::var_os("RUSTUP_TOOLCHAIN").map(|name| ("RUSTUP_TOOLCHAIN", name)));
        command.envs([
            ("COLUMNS", "100"),
            ("LC_ALL", "C.UTF-8"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("PAGER", "cat"),
        ]);
        // What would leave this machine finds no way.
        command
            .envs(
                ["http_proxy", "https_proxy", "all_proxy"].map(|name| (name, "http://127.0.0.1:9")),
            )
            .env("no_proxy", "127.0.0.1");
        if let Some(server) = server {
            command.env("NAVIGATOR_BASE_URL", server.url()).env("NAVIGATOR_FREE", "true");
        }
        ran(command.output().unwrap())
    }
}

/// A place of a page.
pub(crate) struct Place<'a> {
    template: &'a Template,
    folder: TempDir,
}

impl<'a> Place<'a> {
    /// A place that begins in one of the folders of `~/code`.
    pub(crate) fn of(template: &'a Template, start: &str) -> Place<'a> {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home");
        copy(&template.folder.path().join("home"), &home);
        fs::create_dir(folder.path().join("state")).unwrap();
        fs::write(
            folder.path().join("state/folder"),
            home.join("code").join(start).to_str().unwrap(),
        )
        .unwrap();
        fs::write(folder.path().join("state/variables"), "").unwrap();
        Place { template, folder }
    }

    fn state(&self, name: &str) -> PathBuf {
        self.folder.path().join("state").join(name)
    }

    /// Writes a file where the page is.
    pub(crate) fn write(&self, file: &str, text: &str) {
        let folder = PathBuf::from(fs::read_to_string(self.state("folder")).unwrap());
        let path = file
            .strip_prefix("~/")
            .map_or_else(|| folder.join(file), |file| self.folder.path().join("home").join(file));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Runs a `sh` block.
    pub(crate) fn run_sh(&self, script: &str) -> Result<(), String> {
        let server = script.contains("--model").then(|| Server::answering(finalized));
        let script = match &server {
            Some(server) => script.replace(OWN_SERVER, &server.url()),
            None => script.to_owned(),
        };
        let ran = self.run(&script, server.as_ref());
        if ran.code == 0 {
            Ok(())
        } else {
            Err(format!("exit code {}\n{}\n{}", ran.code, end(&ran.stdout), end(&ran.stderr)))
        }
    }

    /// Runs the commands of a `console` block, and gives the lines that each printed.
    pub(crate) fn run_console(
        &self,
        commands: &[page::Command],
    ) -> Result<Vec<Vec<String>>, String> {
        let mut script = String::new();
        for (number, command) in commands.iter().enumerate() {
            script.push_str(&format!(
                "exec > '{}' 2>&1\n",
                self.state(&number.to_string()).display()
            ));
            let may_fail = commands.get(number + 1).is_some_and(|next| next.text == "echo $?");
            script.push_str(&match command.text.as_str() {
                "echo $?" => "echo $exit_code\n".to_owned(),
                text if may_fail => format!("set +e\n{text}\nexit_code=$?\nset -e\n"),
                text => format!("{text}\n"),
            });
        }
        let printed =
            |number: usize| fs::read_to_string(self.state(&number.to_string())).unwrap_or_default();
        for number in 0..commands.len() {
            let _ = fs::remove_file(self.state(&number.to_string()));
        }
        let ran = self.run(&script, None);
        if ran.code != 0 {
            let last = (0..commands.len())
                .rev()
                .find(|number| self.state(&number.to_string()).exists())
                .unwrap_or(0);
            return Err(format!(
                "`{}`: exit code {}\n{}{}",
                commands[last].text,
                ran.code,
                end(&printed(last)),
                ran.stderr
            ));
        }
        let home = self.folder.path().join("home");
        let scrubbed = |text: String| text.replace(home.to_str().unwrap(), "/home/you");
        Ok((0..commands.len())
            .map(|number| scrubbed(printed(number)).lines().map(str::to_owned).collect())
            .collect())
    }

    /// Runs a script where the one before it ended.
    fn run(&self, script: &str, server: Option<&Server>) -> Ran {
        let (folder, variables) = (self.state("folder"), self.state("variables"));
        let script = format!(
            "cd \"$(cat '{folder}')\"\n. '{variables}'\ntrap 'pwd > \"{folder}.new\"; export -p > \
             \"{variables}\"; tr -d \"\\n\" < \"{folder}.new\" > \"{folder}\"' EXIT\nset \
             -a\n{script}",
            folder = folder.display(),
            variables = variables.display(),
        );
        let ran = self.template.shell(self.folder.path(), &script, server);
        // What stands for a server is not for the next block.
        let kept = fs::read_to_string(&variables).unwrap_or_default();
        fs::write(
            &variables,
            kept.lines()
                .filter(|line| !line.contains(" NAVIGATOR_"))
                .map(|line| format!("{line}\n"))
                .collect::<String>(),
        )
        .unwrap();
        ran
    }
}

/// The last lines of a text.
fn end(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(12)..].join("\n")
}

/// A model that is content with what it sees, whatever it is asked in.
fn finalized(asked: &Received) -> Answer {
    let text = json!({ "reasoning": "r", "action": "finalize_context", "changes": [], "summary": "all there", "focus": [] }).to_string();
    let reply: Value = if asked.path.ends_with("/messages") {
        json!({ "id": "1", "type": "message", "role": "assistant", "model": "m", "content": [{ "type": "text", "text": text }],
            "stop_reason": "end_turn", "usage": { "input_tokens": 1_000, "output_tokens": 50 } })
    } else if asked.path.ends_with("/api/chat") {
        json!({ "model": "m", "message": { "role": "assistant", "content": text }, "done": true, "done_reason": "stop",
            "prompt_eval_count": 1_000, "eval_count": 50 })
    } else {
        json!({ "model": "m", "choices": [{ "message": { "role": "assistant", "content": text }, "finish_reason": "stop" }],
            "usage": { "prompt_tokens": 1_000, "completion_tokens": 50, "total_tokens": 1_050 } })
    };
    status(200, &reply.to_string())
}

/// Where cargo keeps the source of reqwest in the version that is locked.
pub(crate) fn folder_of_reqwest(root: &Path) -> PathBuf {
    let packages = packages(root, false);
    let reqwest = packages.iter().find(|package| package["name"] == "reqwest").unwrap();
    Path::new(reqwest["manifest_path"].as_str().unwrap()).parent().unwrap().to_path_buf()
}

/// Copies a file, or a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    if !from.is_dir() {
        fs::copy(from, to).unwrap();
        return;
    }
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        copy(&entry.path(), &to.join(entry.file_name()));
    }
}

/// Returns the folder of rustup, if there is one.
fn rustup_home() -> Option<PathBuf> {
    let named = std::env::var_os("RUSTUP_HOME").map(PathBuf::from);
    let usual = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".rustup"));
    named.or_else(usual).filter(|folder| folder.is_dir())
}
