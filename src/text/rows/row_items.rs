//! The items of the text of a row in one form, from which a row is printed, parsed and described.

/// Passes the items of the text of a row to the macro `$then` after `$args`: those of its `as [..]`, which
/// the instruction table describes, or those that its fields imply. Each has one of these forms:
///
/// | Form | Item |
/// |---|---|
/// | `[pred]` | `pred` |
/// | `[mnemonic]`, `[mnemonic !]` | `@`, `@!` |
/// | `[word "text"]` | a text that replaces the mnemonic |
/// | `[word_of Name field]`, `[word_of Name]` | `{@Name field}`, `{@Name}` |
/// | `[sat]` | `sat` |
/// | `[operand field]` | `field` |
/// | `[suffix field]` | `.field` |
/// | `[joined field]` | `(field)` |
/// | `[text "text"]` | `"text"` |
/// | `[item Name field ..]` | `{Name field ..}` |
#[rustfmt::skip]
macro_rules! row_items {
    ($then:ident $args:tt { $($field:ident: $ty:ty $([$($gate:tt)+])?),* $(,)? }) => {
        row_items! { @usual $then $args [] [] [] [] $($field)* }
    };
    ($then:ident $args:tt $body:tt [$word:literal $($rest:tt)*]) => {
        row_items! { @next $then $args [[word $word]] $($rest)* }
    };
    ($then:ident $args:tt $body:tt [pred $word:literal $($rest:tt)*]) => {
        row_items! { @next $then $args [[pred] [word $word]] $($rest)* }
    };
    ($then:ident $args:tt $body:tt [$($items:tt)*]) => {
        row_items! { @next $then $args [] $($items)* }
    };

    // `(pred) mnemonic (exec) operands` in the order of the bytes.
    (@usual $then:ident $args:tt [$($pred:tt)?] [$($sat:tt)?] [$($exec:tt)?] [$($rest:tt)*]) => {
        row_items! { @next $then $args [] $($pred)? @ $($sat)? $($exec)? $($rest)* }
    };
    (@usual $then:ident $args:tt [] $sat:tt $exec:tt $rest:tt pred $($more:tt)*) => {
        row_items! { @usual $then $args [pred] $sat $exec $rest $($more)* }
    };
    (@usual $then:ident $args:tt $pred:tt $sat:tt [] $rest:tt exec $($more:tt)*) => {
        row_items! { @usual $then $args $pred $sat [exec] $rest $($more)* }
    };
    (@usual $then:ident $args:tt $pred:tt [] $exec:tt [$($rest:tt)*] dst $($more:tt)*) => {
        row_items! { @usual $then $args $pred [sat] $exec [$($rest)* dst] $($more)* }
    };
    (@usual $then:ident $args:tt $pred:tt $sat:tt $exec:tt [$($rest:tt)*] $field:ident $($more:tt)*) => {
        row_items! { @usual $then $args $pred $sat $exec [$($rest)* $field] $($more)* }
    };

    (@next $then:ident $args:tt [$($done:tt)*]) => {
        $then! { $args $($done)* }
    };
    (@next $then:ident $args:tt [$($done:tt)*] pred $($rest:tt)*) => {
        row_items! { @next $then $args [$($done)* [pred]] $($rest)* }
    };
    (@next $then:ident $args:tt [$($done:tt)*] @ ! $($rest:tt)*) => {
        row_items! { @next $then $args [$($done)* [mnemonic !]] $($rest)* }
    };
    (@next $then:ident $args:tt [$($done:tt)*] @ $($rest:tt)*) => {
        row_items! { @next $then $args [$($done)* [mnemonic]] $($rest)* }
    };
    (@next $then:ident $args:tt [$($done:tt)*] {@ $($word:ident)+} $($rest:tt)*) => {
        row_items! { @next $then $args [$($done)* [word_of $($word)+]] $($rest)* }
    };
    (@next $then:ident $args:tt [$($done:tt)*] sat $($rest:tt)*) => {
        row_items! { @next $then $args [$($done)* [sat]] $($rest)* }
    };
    (@next $then:ident $args:tt [$($done:tt)*] . $field:ident $($rest:tt)*) => {
        row_items! { @next $then $args [$($done)* [suffix $field]] $($rest)* }
    };
    (@next $then:ident $args:tt [$($done:tt)*] ($field:ident) $($rest:tt)*) => {
        row_items! { @next $then $args [$($done)* [joined $field]] $($rest)* }
    };
    (@next $then:ident $args:tt [$($done:tt)*] {$($item:ident)+} $($rest:tt)*) => {
        row_items! { @next $then $args [$($done)* [item $($item)+]] $($rest)* }
    };
    (@next $then:ident $args:tt [$($done:tt)*] $text:literal $($rest:tt)*) => {
        row_items! { @next $then $args [$($done)* [text $text]] $($rest)* }
    };
    (@next $then:ident $args:tt [$($done:tt)*] $field:ident $($rest:tt)*) => {
        row_items! { @next $then $args [$($done)* [operand $field]] $($rest)* }
    };
}

pub(super) use row_items;
