import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { textBytesMax } from '@framegate/contract'
import { afterAll, expect, it } from 'vitest'
import { probeText } from './probe-text.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'framegate-text-'))
const file = path.join(folder, 'text.txt')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function probe(contents: string | Buffer): Promise<string> {
  writeFileSync(file, contents)
  return probeText(file)
}

it.each(['A fox', 'two\nlines\n', '雪地里的狐狸 🦊', 'ثعلب', '{"a": 1}', 'a < b', 'é'.repeat(textBytesMax / 2)])(
  'the probe of the text %j returns it unchanged',
  async (text) => {
    expect(await probe(text)).toBe(text)
  },
)

it.each([
  ['an empty text', '', 'empty'],
  ['a text of spaces', ' \n\t'.replace('\t', ' '), 'empty'],
  ['a text that is too long', 'a'.repeat(textBytesMax + 1), 'longer'],
  ['bytes that are not UTF-8', Buffer.from([0x61, 0xff, 0x62]), 'UTF-8'],
  ['a cut character', Buffer.from('é').subarray(0, 1), 'UTF-8'],
  ['an escape sequence', '\u001b[31mred', 'control characters'],
  ['a carriage return', 'a\r\nb', 'control characters'],
  ['a C1 control character', 'a\u0085b', 'control characters'],
  ['a web page', '\n<!doctype html><p>', 'web page'],
  ['another web page', '<HTML><body>', 'web page'],
])('a text result is rejected: %s', async (_title, contents, words) => {
  await expect(probe(contents)).rejects.toThrow(words)
})
