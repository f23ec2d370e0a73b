import { expect, it } from 'vitest'
import { readSnippets } from './read-snippets.ts'

const fence = '```'
const errorsOf = (...lines: string[]) => readSnippets('page.md', lines.join('\n')).errors

it('readSnippets returns the blocks that run, their output, and the reasons why others do not run', () => {
  const page = [
    'Words.',
    `${fence}sh`,
    'echo one',
    '',
    'echo two',
    fence,
    'It prints:',
    `${fence}text output`,
    'one',
    'two',
    fence,
    '<!-- not run: it never ends -->',
    '',
    `${fence}sh`,
    'framegate serve',
    fence,
    `- ${fence}text`,
    `${fence}text`,
    'a drawing',
    fence,
    '  ````python',
    '  print("```")',
    '  ````',
  ].join('\n')
  expect(readSnippets('page.md', page.replace(`- ${fence}text\n`, ''))).toEqual({
    errors: [],
    snippets: [
      {
        place: 'page.md:2',
        language: 'sh',
        text: 'echo one\n\necho two',
        fileName: null,
        reasonNotRun: null,
        output: { place: 'page.md:8', language: 'text', text: 'one\ntwo' },
      },
      {
        place: 'page.md:14',
        language: 'sh',
        text: 'framegate serve',
        fileName: null,
        reasonNotRun: 'it never ends',
        output: null,
      },
      { place: 'page.md:20', language: 'python', text: 'print("```")', fileName: null, reasonNotRun: null, output: null },
    ],
  })
})

it.each([
  ['a block without a language', [fence, 'x', fence], 'the block has no language'],
  ['a language without a runner', [`${fence}ruby`, 'puts 1', fence], "there is no runner for a block of 'ruby'"],
  ['a mark without a reason', ['<!-- not run: -->', `${fence}sh`, 'x', fence], 'needs a reason'],
  ['a mark without a block after it', ['<!-- not run: it is slow -->', 'Words.', `${fence}sh`, 'x', fence], 'no block follows'],
  ['a mark at the end', ['<!-- not run: it is slow -->'], 'no block follows'],
  ['an unknown word after the language', [`${fence}sh skip`, 'x', fence], "'skip' is not supported"],
  ['output without a block above it', [`${fence}json output`, '{}', fence], 'no block above has this output'],
  [
    'a second output of the same block',
    [...blockLines('sh'), ...blockLines('text output'), ...blockLines('text output')],
    'no block above has this output',
  ],
  [
    'output of a block that is not run',
    ['<!-- not run: slow -->', ...blockLines('sh'), ...blockLines('text output')],
    'is not run',
  ],
  ['output in another language', [...blockLines('sh'), ...blockLines('sh output')], "output is 'json' or 'text'"],
  ['a block without a closing fence', [`${fence}sh`, 'x'], 'has no closing fence'],
])('readSnippets reports %s', (_name, lines, error) => {
  expect(errorsOf(...lines)).toEqual([expect.stringMatching(/^page\.md:\d+: /) && expect.stringContaining(error)])
})

it.each([
  ['ts', '// video.ts', 'video.ts'],
  ['python', '# framegate.py', 'framegate.py'],
  ['sh', '# video.sh PROMPT FILE: makes a video', 'video.sh'],
  ['yaml', '# framegate.yaml', 'framegate.yaml'],
  ['sh', '# video.ts is a program', null],
  ['sh', 'echo one # video.sh', null],
])('readSnippets finds the file name of a %s block in %j', (language, line, fileName) => {
  const { snippets } = readSnippets('page.md', [fence + language, line, 'x', fence].join('\n'))
  expect(snippets.map((snippet) => snippet.fileName)).toEqual([fileName])
})

it('a block marked as not run may be in any language', () => {
  expect(errorsOf('<!-- not run: no machine has it -->', `${fence}ruby`, 'puts 1', fence)).toEqual([])
})

function blockLines(info: string): string[] {
  return [fence + info, 'x', fence]
}
