// The declarations are used as a program would.

import { load, Answer, Genvisa } from 'genvisa';

export async function main(file: Uint8Array): Promise<number> {
  const genvisa: Genvisa = await load();
  const answer: Answer = await genvisa.run(['dis', 'a.isa'], { 'a.isa': file });
  const text: string = await genvisa.dis(file);
  return answer.code + text.length + answer.output.length;
}
