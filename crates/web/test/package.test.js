// Tests of the package in Node.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { GenvisaError, load } from '../lib/index.js';

const ROOT = join(import.meta.dirname, '../../..');
const TOUR = 'tests/data/tour.isa';
const SCALE = 'tests/data/inline/scale.cl';
const DEVICE = 'crates/interp/tests/data/scale-bmg.bin';

const genvisa = await load();
const read = (path) => readFileSync(join(ROOT, path));

/** Runs the native tool, if the environment states it. */
function native(args) {
  const program = process.env.GENVISA;
  if (!program) return null;
  try {
    const text = execFileSync(program, args, {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return { code: 0, text };
  } catch (error) {
    return { code: error.status, text: error.stdout, messages: error.stderr };
  }
}

/** The numbers of errors differ between systems. */
const withoutNumber = (text) => text.replace(/ \(os error \d+\)/g, '');

test('commands print what the native tool prints', { skip: !process.env.GENVISA && 'GENVISA is not set' }, async () => {
  const commands = [
    ['dis', TOUR],
    ['info', TOUR],
    ['stats', '--json', TOUR],
    ['explain', '--json', TOUR],
    ['verify', 'tests/data/illegal.visaasm'],
    ['check', '--lanes', '16', SCALE],
    ['cfg', 'tests/data/dot.visaasm'],
    ['diff', 'tests/data/dot.visaasm', 'tests/data/dot-unrolled.visaasm'],
    ['report', '-o', '-', 'tests/data/dot.visaasm'],
    ['isa', 'rt_write'],
    ['isa', '--html', '-'],
    ['dis', SCALE],
    [...'run --json --kernel scale --global 64 --local 16 --arg y=zero:256 --arg x=zero:256 --arg a=2 --arg n=64'.split(' '), DEVICE],
    ['dis', 'no-such-file.isa'],
    ['--version'],
  ];
  for (const args of commands) {
    const files = args.filter((arg) => arg.includes('/') && arg !== 'no-such-file.isa');
    const answer = await genvisa.run(args, Object.fromEntries(files.map((path) => [path, read(path)])));
    const expected = native(args);
    // The texts are too long for a message.
    assert.ok(answer.text === expected.text, args.join(' '));
    assert.equal(answer.code, expected.code, args.join(' '));
    if (expected.messages !== undefined) {
      assert.equal(withoutNumber(answer.messages), withoutNumber(expected.messages), args.join(' '));
    }
  }
});

test('functions return values', async () => {
  const text = await genvisa.dis(read(TOUR));
  assert.match(text, /^\/\/|^\.version/m);
  const [file] = await genvisa.info(read(TOUR));
  assert.equal(file.routines[0].name, 'tour');
  const [checked] = await genvisa.check({ 'scale.cl': read(SCALE) });
  assert.equal(checked.blocks.length, 2);
  assert.equal(checked.blocks.flatMap((block) => block.findings)[0].rule, 'operand-bounds');
  const findings = await genvisa.verify({ 'a.visaasm': read('tests/data/illegal.visaasm') });
  assert.ok(findings.length > 0);
  const [format] = await genvisa.isa('gather4_typed');
  assert.ok(JSON.stringify(format).includes('gather4_typed'));
  assert.ok(JSON.stringify(await genvisa.explain(read(TOUR))).includes('media_ld'));
});

test('errors are those of the tool', async () => {
  await assert.rejects(genvisa.dis(new Uint8Array([1, 2, 3])), GenvisaError);
  await assert.rejects(genvisa.isa('no_such_instruction'), /no_such_instruction/);
  const answer = await genvisa.run(['no-such-command']);
  assert.equal(answer.code, 2);
  assert.match(answer.messages, /no-such-command/);
});

test('values are complete, or an error is thrown', async () => {
  const good = read('tests/data/illegal.visaasm');
  const bad = '.version 4.2\n.kernel "k"\nmvo (M1, 16)\n';
  const unknown = /unknown instruction `mvo`/;
  const [{ rule, line, message }] = await genvisa.verify({ 'bad.visaasm': bad });
  assert.deepEqual([rule, line], ['syntax', 3]);
  assert.match(message, unknown);
  const bytes = new Uint8Array(9);
  await assert.rejects(genvisa.verify({ 'bad.isa': bytes }), GenvisaError);
  await assert.rejects(genvisa.info(bad), unknown);
  await assert.rejects(genvisa.check({ 'x.bin': new Uint8Array(9) }), GenvisaError);
  await assert.rejects(genvisa.verify({ 'good.visaasm': good, 'bad.isa': bytes }), (error) => {
    assert.match(error.message, /bad\.isa/);
    assert.ok(JSON.parse(error.answer.text).length > 0);
    return true;
  });
  // Warnings are not errors.
  const { messages } = await genvisa.run(['check', '--json', '--operand', '7=float', 's.cl'], { 's.cl': read(SCALE) });
  assert.match(messages, /warning/);
  assert.equal((await genvisa.check({ 's.cl': read(SCALE) }, ['--operand', '7=float'])).length, 1);
});

test('files are written to memory, and inputs keep their bytes', async () => {
  const source = '.version 4.2\n.kernel "k"\nret (M1, 1)\n';
  const answer = await genvisa.run(['asm', '-o', 'out/k.isa', 'in/k.visaasm'], { 'in/k.visaasm': source, 'out/x': '' });
  assert.equal(answer.messages, '');
  assert.equal(answer.code, 0);
  assert.equal(new TextDecoder().decode(answer.files['out/k.isa'].slice(0, 4)), 'CISA');
  assert.equal(new TextDecoder().decode(answer.files['in/k.visaasm']), source);
});

test('calls do not share memory', async () => {
  const all = await Promise.all([1, 2, 3].map(() => genvisa.run(['dis', '-'], {}, read(TOUR))));
  assert.equal(new Set(all.map((answer) => answer.text)).size, 1);
  assert.equal(all[0].code, 0);
});
