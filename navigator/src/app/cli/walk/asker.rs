//! Questions to the program that started a walk: a line of JSON on standard error, answered by one
//! on standard input.

use std::io::{self, BufRead as _, Read as _};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;

use repo_map::CancelToken;
use serde::Deserialize;

use crate::app::cli::progress::{StepQuestion, Tell};
use crate::run::deadline::POLL;
use crate::walk::session::EffectAnswer;

/// The longest line that is read, in bytes.
const MAX_LINE: u64 = 10_000;

/// Asks the program at the other end of standard input.
pub(in crate::app::cli) struct Asker {
    tell: Tell,
    lines: Receiver<String>,
    n_asked: u64,
}

/// A line of the program: `{"id": 1, "answer": "yes"}`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerLine {
    id: u64,
    answer: AnswerWord,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum AnswerWord {
    Yes,
    No,
    Never,
}

impl Asker {
    /// Reads standard input from now on.
    pub(in crate::app::cli) fn new(tell: Tell) -> Asker {
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            let mut input = io::stdin().lock();
            loop {
                let mut line = Vec::new();
                match input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
                    Ok(1..) if sender.send(String::from_utf8_lossy(&line).into_owned()).is_ok() => {
                    }
                    _ => return,
                }
            }
        });
        Asker { tell, lines, n_asked: 0 }
    }

    /// Asks whether a step may have its effect. At the end of the input the answer is no.
    pub(in crate::app::cli) fn ask(
        &mut self,
        asked: StepQuestion<'_>,
        interrupted: &CancelToken,
    ) -> EffectAnswer {
        self.n_asked += 1;
        self.tell.question(self.n_asked, &asked);
        loop {
            match self.lines.recv_timeout(POLL) {
                Ok(line) => match answer_of(&line, self.n_asked) {
                    Ok(answer) => return answer,
                    Err(complaint) => self.tell.waiting(&complaint),
                },
                Err(RecvTimeoutError::Timeout) if !interrupted.is_cancelled() => {}
                Err(RecvTimeoutError::Timeout) => return EffectAnswer::No,
                Err(RecvTimeoutError::Disconnected) => return EffectAnswer::Never,
            }
        }
    }
}

/// Reads the answer to a question; what cannot be one is a complaint.
fn answer_of(line: &str, id: u64) -> Result<EffectAnswer, String> {
    let form = format!("an answer is a line like {{\"id\": {id}, \"answer\": \"yes\"}}");
    let line: AnswerLine = serde_json::from_str(line)
        .map_err(|error| format!("{form} (or `no`, `never`): {error}"))?;
    match line.answer {
        _ if line.id != id => Err(format!("question {id} waits, and not {}: {form}", line.id)),
        AnswerWord::Yes => Ok(EffectAnswer::Yes),
        AnswerWord::No => Ok(EffectAnswer::No),
        AnswerWord::Never => Ok(EffectAnswer::Never),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_for_its_question_and_anything_else_is_none() {
        let answer = |line: &str| answer_of(line, 2);
        assert_eq!(answer(r#"{"id": 2, "answer": "yes"}"#), Ok(EffectAnswer::Yes));
        assert_eq!(answer(r#"{"id": 2, "answer": "never"}"#), Ok(EffectAnswer::Never));
        for wrong in [
            "yes",
            "",
            r#"{"id": 1, "answer": "yes"}"#,
            r#"{"id": 2, "answer": "YES"}"#,
            r#"{"id": 2, "answer": "yes", "all": true}"#,
        ] {
            assert!(answer(wrong).is_err(), "{wrong}");
        }
    }
}
