//! The names of variables and surfaces.

use genvisa::isa::{Id, IdClass};
use genvisa::object::Body;
use genvisa::operand::VarId;

/// Returns the name of a variable or surface: the name that the routine declares, the name of a
/// predefined variable, or a name made of the id, such as `V32`.
pub fn name_of(id: Id, body: &Body<'_>) -> String {
    let predefined = match id.class {
        IdClass::Variable => VarId(id.number).predefined_name(),
        _ => None,
    };
    match (body.name_of(id), predefined) {
        (Some(name), _) => name.to_string_lossy(),
        (None, Some(name)) => name.into(),
        (None, None) => format!("{}{}", id.class.letter(), id.number),
    }
}

/// The tables of variables, address variables and predicates.
const CLASSES: [IdClass; 3] = [IdClass::Variable, IdClass::Address, IdClass::Predicate];

/// The tables of surfaces and samplers.
const STATES: [IdClass; 2] = [IdClass::Surface, IdClass::Sampler];

/// Returns the variable, address variable or predicate of a name: the first that the routine
/// declares with it, a predefined variable, or the variable of an id such as `V32`.
pub fn find(name: &str, body: &Body<'_>) -> Option<Id> {
    find_in(&CLASSES, name, body)
}

/// Returns the surface or sampler of a name, or of an id such as `T6`.
pub fn find_state(name: &str, body: &Body<'_>) -> Option<Id> {
    find_in(&STATES, name, body)
}

fn find_in(classes: &[IdClass], name: &str, body: &Body<'_>) -> Option<Id> {
    let named = |id: &Id| body.name_of(*id).is_some_and(|other| *other == *name);
    let is_predefined =
        |id: &Id| id.class == IdClass::Variable && VarId(id.number).predefined_name().is_some();
    let is_known = |id: &Id| is_predefined(id) || body.declares(*id);
    let by_id = || by_id(name).filter(|id| classes.contains(&id.class) && is_known(id));
    classes.iter().flat_map(|class| body.ids(*class)).find(named).or_else(by_id)
}

/// Returns the declared variables, address variables and predicates.
pub fn ids(body: &Body<'_>) -> impl Iterator<Item = Id> + use<> {
    let [variables, addresses, predicates] = CLASSES.map(|class| body.ids(class));
    variables.chain(addresses).chain(predicates)
}

fn by_id(name: &str) -> Option<Id> {
    let predefined = (0..VarId::FIRST_DECLARED.0).map(VarId);
    let mut predefined = predefined.filter(|var| var.predefined_name() == Some(name));
    if let Some(var) = predefined.next() {
        return Some(var.into());
    }
    let (letter, number) = name.split_at_checked(1)?;
    let class = IdClass::from_letter(letter.chars().next()?)?;
    Some(Id { class, number: number.parse().ok()? })
}
