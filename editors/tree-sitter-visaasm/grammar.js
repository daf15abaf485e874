/**
 * @file The text of GEN vISA, `.visaasm`.
 * @license MIT
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

// The grammar describes the structure of lines. It lists no mnemonics, directives, types or other words of the language,
// which differ by their positions; `abs` and `%sizeof` are operators.

// The operators of expressions by increasing precedence. As in the grammar of IGC, `&` binds less tightly than `|`.
const LOGIC = ['&', '^', '|', choice('==', '!='), choice('<=', '>=', '<', '>')];
const ARITHMETIC = [choice('<<', '>>', '>>>'), choice('+', '-'), choice('*', '/', '%')];

const operation = (operand, operators) => choice(...operators.map((operator, level) =>
  prec.left(level + 1, seq(field('left', operand), field('operator', operator), field('right', operand)))));

const lines = ($) => seq(repeat(seq(optional($._statement), '\n')), optional($._statement));

const commaSep1 = (rule) => seq(rule, repeat(seq(',', rule)));

module.exports = grammar({
  name: 'visaasm',

  // A line break ends a statement, unless a backslash precedes it.
  extras: $ => [/[ \t\r]/, /\\\r?\n/, $.comment, $.annotation],

  rules: {
    source_file: $ => lines($),

    // `{ .. }`, which may have several lines.
    scope: $ => seq('{', lines($), '}'),

    _statement: $ => choice($.directive, $.label, $.instruction, $.scope),

    comment: _ => token(choice(
      /\/\/([^@\n][^\n]*)?/,
      /\/\*[^*]*\*+([^/*][^*]*\*+)*\//,
    )),

    // `//@ paired`: a comment that the library reads.
    annotation: _ => /\/\/@[^\n]*/,

    // Directives: `.decl V32 v_type=G type=d num_elts=16 align=wordx32 alias=<V31, 64> attrs={Output}`

    directive: $ => seq(
      field('name', $.directive_name),
      repeat(choice($.name, $.string, $.number, $.attribute)),
    ),

    directive_name: _ => /\.[A-Za-z_][A-Za-z0-9_]*/,

    attribute: $ => prec.right(seq(
      field('key', choice(alias($.name, $.key), $.string)),
      '=',
      optional(field('value', choice($._value, $.string, $.alias, $.attributes, $._expression))),
    )),

    _value: $ => prec(1, choice(alias($.name, $.value), alias($.word, $.value))),

    alias: $ => seq('<', field('target', $.name), ',', field('offset', $._arithmetic), '>'),

    attributes: $ => seq('{', commaSep1(choice(alias($.name, $.key), $.string, $.attribute)), '}'),

    // `loop:`

    label: $ => seq(field('name', choice($.name, alias($._label_name, $.name))), ':'),

    // Only the names of labels can contain `-`.
    _label_name: _ => /[A-Za-z_$@?][A-Za-z0-9_$@?]*-[A-Za-z0-9_$@?-]*/,

    // Instructions: `(!P1.any) add.sat (M1, 16) V32(0,0)<1> (-)V33(0,0)<1;1,0> 0x1:d`

    instruction: $ => seq(
      optional($.predicate),
      field('mnemonic', alias($.name, $.mnemonic)),
      repeat($._suffix),
      optional(seq(
        choice($.execution, $.block_size, $.operand_list, alias($._plain_operand, $.operand)),
        repeat($.operand),
      )),
    ),

    predicate: $ => seq('(', optional('!'), field('name', $.name), optional($._suffix), ')'),

    // `.sat`, or `.<RTI><Z>`
    _suffix: $ => seq('.', optional(choice($.modifier, repeat1(seq('<', alias($.name, $.modifier), '>'))))),

    // `.1.5` is two modifiers, not a fraction.
    modifier: _ => token.immediate(prec(1, /[A-Za-z0-9_][A-Za-z0-9_-]*/)),

    // `(M1, 16)`, or `(16)`
    execution: $ => seq(
      '(',
      optional(seq(field('mask', alias($.name, $.mask)), ',')),
      field('size', alias($._constant, $.exec_size)),
      ')',
    ),

    // `(32, 8)`: the width and the height.
    block_size: $ => seq('(', field('width', $._constant), ',', field('height', $._constant), ')'),

    // `(V32(0,0)<0;1,0>, 0x1:ub)`
    operand_list: $ => seq('(', commaSep1(alias($._vector_or_immediate, $.operand)), ')'),

    _vector_or_immediate: $ => choice(
      seq(choice($.register, $.address), $.region, optional(seq(':', alias($.name, $.type)))),
      $.immediate,
    ),

    // Operands

    operand: $ => choice(
      $._plain_operand,
      seq($.source_modifier, choice($._plain_operand, $._group_operand)),
      $._group_operand,
    ),

    _plain_operand: $ => choice(
      seq(
        choice($._reference, $.address),
        optional(prec.right(1, seq($.region, optional($.element)))),
        optional($.length),
        optional(seq(':', $._data_type)),
      ),
      $.immediate,
      $._scalar,
      $.address_of,
      $.string,
      $.word,
    ),

    // With a region, it is the index of a variable, from which a blank separates it.
    _group_operand: $ => choice(seq($.group, optional($.region)), alias($._typed_group, $.immediate)),

    // `(-)`, `(abs)`, `(-abs)` or `(~)`
    source_modifier: _ => seq('(', choice('-', '~', seq(optional('-'), 'abs')), ')'),

    // `V32(0,0)`, `V32.64`, or a name alone.
    _reference: $ => choice($.name, $.register),

    register: $ => seq(
      field('name', $.name),
      choice(seq($.index, optional($._offset)), $._offset),
    ),

    // After a blank, a parenthesis begins another operand.
    index: $ => seq(token.immediate('('), commaSep1($._expression), ')'),

    _offset: $ => seq('.', field('offset', choice($.number, $.group))),

    // `<8;8,1>`
    region: $ => seq('<', $._arithmetic, repeat(seq(choice(';', ','), $._arithmetic)), '>'),

    // The index of a state: `V32(0,0)<0;1,0>[1]`
    element: $ => seq('[', $._expression, ']'),

    // The bytes of a part of a message: `V32.0/64`
    length: $ => seq('/', $._constant),

    // `d32x4t`, `d16.16x8nn` or `d32.xyzw`
    _data_type: $ => seq(choice(alias($.name, $.type), alias($.word, $.type)), optional($._suffix)),

    // `flat(V32)[4*V33+0x10]`, or `r[A0(0),4]`
    address: $ => prec(1, seq(
      optional(seq(field('space', alias($.name, $.space)), optional($.index))),
      '[',
      commaSep1($._expression),
      ']',
    )),

    // `&V32[64]`
    address_of: $ => prec.right(1, seq('&', $._reference, optional(seq('[', field('offset', $._expression), ']')))),

    immediate: $ => seq($._scalar, ':', alias($.name, $.type)),

    _typed_group: $ => seq($.group, ':', alias($.name, $.type)),

    // A calculation, a sampler or surface with its index, or the labels of a table of jumps.
    group: $ => seq('(', repeat(choice($._expression, $.string, ',')), ')'),

    // Expressions

    _expression: $ => choice($._arithmetic, alias($._logic, $.binary_expression), $.conditional_expression),

    // After an expression, `?` does not begin a name.
    conditional_expression: $ => prec.right(seq(
      field('condition', $._expression),
      token(prec(1, '?')),
      field('then', $._expression),
      ':',
      field('else', $._expression),
    )),

    _logic: $ => operation($._expression, LOGIC),

    // An expression that `>` ends.
    _arithmetic: $ => choice($._reference, $._constant, $.binary_expression),

    binary_expression: $ => operation($._arithmetic, ARITHMETIC),

    _constant: $ => choice($._scalar, $.group),

    _scalar: $ => choice($.number, $.unary_expression, $.sizeof),

    unary_expression: $ => prec(9, seq(field('operator', choice('-', '~', '!')), $._constant)),

    sizeof: $ => seq('%sizeof', choice($.name, seq('(', $.name, ')'))),

    // Leaves

    name: _ => /%?[A-Za-z_$@?][A-Za-z0-9_$@?]*/,

    // A word that begins with a digit, such as `4x16`.
    word: _ => /[1-9][0-9]*[A-Za-z_][A-Za-z0-9_]*/,

    number: _ => /0[xX][0-9A-Fa-f]+|[0-9]+(\.[0-9]*)?([eE][-+][0-9]+)?/,

    string: _ => /"(\\.|[^"\\\n])*"/,
  },
});

