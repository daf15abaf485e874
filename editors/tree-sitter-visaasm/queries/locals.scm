; A label has the color of a label where instructions use it.
(source_file) @local.scope

(label
  name: (name) @local.definition)

(operand
  (name) @local.reference)
