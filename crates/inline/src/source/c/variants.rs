//! Statements with preprocessor conditionals.

use alloc::vec;
use alloc::vec::Vec;

use super::Finder;
use crate::source::cpp::lexer::{Kind, Token};
use crate::source::cpp::macros::{Conditional, Step};

/// The maximum number of different conditions in a statement.
pub(super) const MAX_CHOICES: usize = 64;

/// The tokens of a statement in one variant.
pub(super) struct Collected {
    /// From the keyword to the closing parenthesis.
    pub(super) tokens: Vec<Token>,
    /// The index of the opening parenthesis.
    pub(super) open: usize,
    /// The index in the stream at which the search proceeds.
    pub(super) next: usize,
}

/// The branch of a conditional that a variant reads.
pub(super) struct Choice {
    condition: Vec<u8>,
    branch: u32,
    branches: u32,
}

impl Finder<'_> {
    /// Returns the tokens of a statement. `choices` are the branches of conditionals; those that it
    /// does not contain yet are added.
    pub(super) fn collect(&mut self, start: usize, choices: &mut Vec<Choice>) -> Option<Collected> {
        let tokens = &self.stream.tokens;
        let mut collected = vec![tokens[start]];
        let mut open = None;
        let mut brackets: Vec<u8> = Vec::new();
        let mut braces = 0_u32;
        // The number of open conditionals that began in the statement.
        let mut conditionals = 0_u32;
        let mut next: Option<usize> = None;
        let mut at = start + 1;
        loop {
            let token = *tokens.get(at)?;
            if !self.expander.spend(1) {
                return None;
            }
            if let Kind::Directive(directive) = token.kind {
                let (step, _, conditional) = self.macros.steps[directive as usize];
                let after = self.stream.next_branch[directive as usize];
                match step {
                    Step::If => {
                        let facts = self.macros.conditionals.get(&conditional)?;
                        let dead = self.macros.dead.contains(&directive);
                        if choices.len() > MAX_CHOICES {
                            return None;
                        }
                        let branch = choose(facts, dead, choices);
                        let mut target = at;
                        for _ in 0..branch {
                            let Kind::Directive(directive) = tokens[target].kind else { break };
                            target = self.stream.next_branch[directive as usize]?;
                        }
                        let is_end = matches!(tokens[target].kind, Kind::Directive(directive)
                            if self.macros.steps[directive as usize].0 == Step::Endif);
                        conditionals += u32::from(!is_end);
                        at = target + 1;
                        continue;
                    }
                    Step::Else => {
                        let mut end = after?;
                        while let Kind::Directive(directive) = tokens[end].kind {
                            if self.macros.steps[directive as usize].0 == Step::Endif
                                || !self.expander.spend(1)
                            {
                                break;
                            }
                            end = self.stream.next_branch[directive as usize]?;
                        }
                        if conditionals > 0 {
                            conditionals -= 1;
                        } else {
                            // The other branch may contain the start of another statement.
                            next = next.or(Some(at));
                        }
                        at = end + 1;
                        continue;
                    }
                    Step::Endif => conditionals = conditionals.saturating_sub(1),
                    Step::None => {}
                }
                at += 1;
                continue;
            }
            collected.push(token);
            at += 1;
            match token.kind {
                Kind::Punctuation(byte @ (b'(' | b'[' | b'{')) => {
                    if open.is_none() {
                        if byte != b'(' {
                            return None;
                        }
                        open = Some(collected.len() - 1);
                    }
                    brackets.push(byte);
                    braces += u32::from(byte == b'{');
                }
                Kind::Punctuation(byte @ (b')' | b']' | b'}')) => {
                    let opening = match byte {
                        b')' => b'(',
                        b']' => b'[',
                        _ => b'{',
                    };
                    if brackets.pop() != Some(opening) {
                        return None;
                    }
                    braces -= u32::from(opening == b'{');
                    if brackets.is_empty() {
                        let next = next.unwrap_or(at);
                        return Some(Collected { tokens: collected, open: open?, next });
                    }
                }
                Kind::Punctuation(b';') if braces == 0 => return None,
                _ if open.is_some() => {}
                // Qualifiers, known and unknown ones.
                Kind::Identifier if collected.len() < 8 => {}
                _ => return None,
            }
        }
    }
}

/// Returns the branch of a conditional that a variant reads.
fn choose(facts: &Conditional, is_dead: bool, choices: &mut Vec<Choice>) -> u32 {
    if facts.condition == b"1" {
        return 0;
    }
    let branches = facts.branches.max(1);
    let index = match choices.iter().position(|choice| choice.condition == facts.condition) {
        Some(index) => index,
        None => {
            let branch = u32::from(is_dead);
            let condition = facts.condition.clone();
            choices.push(Choice { condition, branch, branches });
            choices.len() - 1
        }
    };
    let branch = choices[index].branch.min(branches - 1);
    if facts.is_negated && branches == 2 { 1 - branch } else { branch }
}

/// Proceeds to the next variant.
pub(super) fn advance(choices: &mut Vec<Choice>) -> bool {
    while let Some(last) = choices.last_mut() {
        last.branch += 1;
        if last.branch < last.branches {
            return true;
        }
        choices.pop();
    }
    false
}
