//! The instances: real issues, each with the files, functions and lines that its merged fix
//! changed.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result, bail, ensure};
use serde::Deserialize;

/// One issue and what answers it. Fields that are not named here are ignored.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Instance {
    pub(crate) instance_id: String,
    /// The repository as `owner/name`.
    pub(crate) repo: String,
    /// The commit that the issue was written for.
    pub(crate) base_commit: String,
    pub(crate) language: String,
    /// The text of the issue.
    pub(crate) goal: String,
    pub(crate) gold_files: BTreeSet<String>,
    /// `path:Class.method`.
    #[serde(default)]
    pub(crate) gold_functions: BTreeSet<String>,
    /// First and last line of each gold function.
    #[serde(default)]
    pub(crate) gold_function_spans: BTreeMap<String, (u32, u32)>,
    /// The ranges of lines that the fix touches, by path.
    #[serde(default)]
    pub(crate) gold_edits: BTreeMap<String, Vec<(u32, u32)>>,
    /// Where the git directory stands below the folder of git directories.
    pub(crate) gitdir: String,
    /// The collection it comes from.
    pub(crate) source: String,
    #[serde(default)]
    pub(crate) subsets: BTreeSet<String>,
}

/// Which instances are asked for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Filter {
    pub(crate) subset: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) repo: Option<String>,
    pub(crate) limit: Option<usize>,
}

/// Reads instances, one JSON object a line, sorted by their ids. `file` is named in errors.
pub(crate) fn read(file: &str, text: &str) -> Result<Vec<Instance>> {
    let mut instances = BTreeMap::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = || format!("{file}:{}", at + 1);
        let instance = read_line(line).with_context(place)?;
        if let Some(twice) = instances.insert(instance.instance_id.clone(), instance) {
            bail!("{}: instance_id: `{}` is there already", place(), twice.instance_id);
        }
    }
    Ok(instances.into_values().collect())
}

fn read_line(line: &str) -> Result<Instance> {
    let mut json = serde_json::Deserializer::from_str(line);
    let instance: Instance = serde_path_to_error::deserialize(&mut json)?;
    let is_inside = |path: &str| {
        !path.is_empty() && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
    };
    ensure!(
        is_inside(&instance.instance_id),
        "instance_id: `{}` is no name of a folder",
        instance.instance_id
    );
    ensure!(is_inside(&instance.gitdir), "gitdir: `{}` is no path below a folder", instance.gitdir);
    let is_hash = instance.base_commit.len() >= 40
        && instance.base_commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    ensure!(is_hash, "base_commit: `{}` is not the whole hash of a commit", instance.base_commit);
    ensure!(
        !instance.gold_files.is_empty(),
        "gold_files: none; an instance without an answer cannot be scored"
    );
    Ok(instance)
}

impl Filter {
    /// The instances that are asked for; an error says what there is when there is none.
    pub(crate) fn choose(&self, mut instances: Vec<Instance>) -> Result<Vec<Instance>> {
        let wanted =
            [("--subset", &self.subset), ("--language", &self.language), ("--repo", &self.repo)];
        for (flag, value) in
            wanted.into_iter().filter_map(|(flag, value)| Some((flag, value.as_ref()?)))
        {
            let of = |instance: &Instance| match flag {
                "--subset" => instance.subsets.clone(),
                "--language" => BTreeSet::from([instance.language.clone()]),
                _ => BTreeSet::from([instance.repo.clone()]),
            };
            let known: BTreeSet<String> = instances.iter().flat_map(of).collect();
            instances.retain(|instance| of(instance).contains(value));
            let known: Vec<String> = known.into_iter().collect();
            ensure!(
                !instances.is_empty(),
                "{flag}: no instance of `{value}` (there is {})",
                known.join(", ")
            );
        }
        instances.truncate(self.limit.unwrap_or(usize::MAX));
        Ok(instances)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// An instance of the JSON of its fields beside the ones every instance needs.
    pub(crate) fn instance(fields: &str) -> Instance {
        read("dev.jsonl", &line(fields)).unwrap().remove(0)
    }

    fn line(fields: &str) -> String {
        let parsed = |json: &str| {
            serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(json).unwrap()
        };
        let mut all = parsed(
            r#"{"instance_id": "a-1", "repo": "o/a", "base_commit": "0123456789012345678901234567890123456789", "language": "rust",
            "goal": "fix it", "gold_files": ["a.rs"], "gitdir": "o+a/repo", "source": "some"}"#,
        );
        all.extend(parsed(&format!("{{{fields}}}")));
        format!("{}\n", serde_json::to_string(&all).unwrap())
    }

    fn refused(fields: &str) -> String {
        format!("{:#}", read("dev.jsonl", &format!("\n{}", line(fields))).unwrap_err())
    }

    #[test]
    fn instances_are_sorted_and_unknown_fields_ignored() {
        let text = [line(r#""instance_id": "b-2", "n_tracked": 5"#), line("")].concat();
        let ids: Vec<String> = read("dev.jsonl", &text)
            .unwrap()
            .into_iter()
            .map(|instance| instance.instance_id)
            .collect();
        assert_eq!(ids, ["a-1", "b-2"]);
    }

    #[test]
    fn a_bad_line_is_named_with_its_field() {
        assert!(
            refused(r#""gold_edits": {"a.rs": [[1, "x"]]}"#)
                .starts_with("dev.jsonl:2: gold_edits.a.rs[0][1]: invalid type")
        );
        assert_eq!(
            refused(r#""gold_files": []"#),
            "dev.jsonl:2: gold_files: none; an instance without an answer cannot be scored"
        );
        assert_eq!(
            refused(r#""base_commit": "--help""#),
            "dev.jsonl:2: base_commit: `--help` is not the whole hash of a commit"
        );
        assert_eq!(
            refused(r#""gitdir": "../x""#),
            "dev.jsonl:2: gitdir: `../x` is no path below a folder"
        );
        let twice = format!("{}{}", line(""), line(""));
        assert_eq!(
            read("dev.jsonl", &twice).unwrap_err().to_string(),
            "dev.jsonl:2: instance_id: `a-1` is there already"
        );
    }

    #[test]
    fn a_filter_that_finds_nothing_says_what_there_is() {
        let all = vec![
            instance(""),
            instance(r#""instance_id": "b-2", "language": "go", "subsets": ["lite"]"#),
        ];
        let filter =
            |language: &str| Filter { language: Some(language.to_owned()), ..Filter::default() };
        assert_eq!(filter("go").choose(all.clone()).unwrap(), all[1..]);
        assert_eq!(
            filter("golang").choose(all).unwrap_err().to_string(),
            "--language: no instance of `golang` (there is go, rust)"
        );
    }
}
