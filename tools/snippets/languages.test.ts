import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runSnippet } from './languages.ts'
import { repository } from './pages.ts'
import { checkPrograms, installPackages } from './programs.ts'
import { readSnippets, type Snippet } from './read-snippets.ts'
import type { Reader } from './reader.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-languages-'))
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
})
afterEach(() => rmSync(folder, { recursive: true }))

const fence = '```'

function snippetOf(language: string, text: string): Snippet {
  const [snippet] = readSnippets('page.md', `${fence}${language}\n${text}\n${fence}`).snippets
  if (snippet === undefined) throw new Error('there is no block')
  return snippet
}

/** A service that rejects every request except those for a fox. */
async function request(_method: string, _path: string, body: unknown): Promise<Response> {
  return Response.json({}, { status: JSON.stringify(body).includes('fox') ? 200 : 400 })
}

function reader(): Reader {
  return { cwd: folder, env: { PATH: process.env['PATH'] ?? '' }, server: { request } } as unknown as Reader
}

it.each([
  ['ts', "const made: number = 3\nconsole.log('made', made)", 'made 3\n'],
  ['js', '// video.js\nconsole.log(import.meta.url.endsWith("video.js"))', 'true\n'],
  ['json', '{"seconds": 5}', '{"seconds": 5}'],
  ['json', '{"model": "m", "prompt": "a fox"}\n{"model": "n", "prompt": "a fox"}', expect.any(String)],
  ['yaml', "# framegate.yaml\nport: 9000\nbootstrap_key: '${SOME_KEY}'", expect.any(String)],
])('a working %s block passes: %j', async (language, text, printed) => {
  expect(await runSnippet(snippetOf(language, text), reader())).toEqual(printed)
})

it.each([
  ['ts', 'throw new Error("broken")', 'broken'],
  ['json', '{"seconds": 5', 'JSON'],
  ['json', '{"model": "m", "prompt": "a cat"}', 'the service rejects'],
  ['json', '{"model": "m", "prompt": "a fox"}\n{"model": "n", "prompt": "a cat"}', 'the service rejects'],
  ['yaml', '# framegate.yaml\nporte: 9000', 'did you mean port'],
  ['yaml', 'port: 9000', 'the block has no file name'],
  ['yaml', '# framegate.yaml\nroutes: [{ model: imgA-5.0, upstream: fal }]', 'routes[0].upstream must be one of embedded'],
])('a broken %s block fails: %j', async (language, text, error) => {
  await expect(runSnippet(snippetOf(language, text), reader())).rejects.toThrow(error)
})

it('checkPrograms names the line of a program that does not compile', () => {
  installPackages(folder, repository)
  const programs = [snippetOf('ts', 'console.log(1)'), { ...snippetOf('ts', "const seconds: number = '5'"), place: 'other.md:7' }]
  expect(checkPrograms(folder, repository, programs)).toEqual([expect.stringMatching(/^other\.md:7\(1,7\): error TS2322/)])
})
