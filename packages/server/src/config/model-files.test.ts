import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readModelDocuments } from '../catalogue/definitions/read-model-documents.ts'
import { fileStamp } from './file-stamp.ts'
import { readChangedModels, readModelsFolder, readModelsSection, type ModelFile } from './model-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-model-files-'))
  mkdirSync(path.join(folder, 'models'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, text: string): void {
  writeFileSync(path.join(folder, 'models', name), text)
}

function readFolder(): { files: ModelFile[]; violations: string[] } {
  const violations: string[] = []
  return { files: readModelsFolder(folder, violations), violations }
}

it('model files are read in the order of their names, and have one model, a list, or a list under the key models', () => {
  write('b.yaml', 'id: one\nstrength: 0.5\n')
  write('a.json', '[{"id": "two"}]')
  write('c.yml', 'models:\n  - id: three\n    ratio: "16:9"\n')
  write('.hidden.yaml', 'id: hidden')
  write('notes.txt', 'id: notes')
  mkdirSync(path.join(folder, 'models/sub.yaml'))
  const { files, violations } = readFolder()
  expect(violations).toEqual([])
  expect(files.map(({ label, documents, at }) => [label, documents, at])).toEqual([
    ['models/a.json', [{ id: 'two' }], []],
    ['models/b.yaml', { id: 'one', strength: 0.5 }, []],
    ['models/c.yml', [{ id: 'three', ratio: '16:9' }], ['models']],
  ])
  expect(files.map((file) => file.lineOf([...file.at, 'strength']))).toEqual([1, 2, 2])
  expect(files[2]?.lineOf(['models', 0, 'ratio'])).toBe(3)
})

it('no models are read if the folder does not exist', () => {
  rmSync(path.join(folder, 'models'), { recursive: true })
  expect(readFolder()).toEqual({ files: [], violations: [] })
})

it.each([
  ['is not JSON', 'a.json', '{"id": "x",,}', /^models\/a.json, line 1, column \d+: is not YAML/],
  ['is not YAML', 'a.yaml', 'id: [x', /^models\/a.yaml, line 1, column \d+: is not YAML/],
  ['repeats a key', 'a.yaml', 'id: x\nid: y', /^models\/a.yaml, line 2, column 1: is not YAML: Map keys must be unique/],
  ['is larger than a megabyte', 'a.yaml', `# ${'x'.repeat(1024 * 1024)}`, /^models\/a.yaml: is larger than 1048576 bytes/],
  ['has routes beside its models', 'a.yaml', 'models: []\nroutes: []\n', /^models\/a.yaml, line 2: routes is not allowed/],
  ['contains itself', 'a.yaml', 'id: x\nparameters: &p\n  own: *p\n', /^models\/a.yaml, line 3, column 8: .*contains the alias/],
  [
    'stands for a billion values',
    'a.yaml',
    `a0: &a0 [1,1,1,1,1,1,1,1,1,1]\n${Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(10)}]`).join('\n')}`,
    /^models\/a.yaml: has more than 100000 values/,
  ],
])('a file that %s is reported with its name', (_what, name, text, expected) => {
  write(name, text)
  const startedMs = performance.now()
  expect(readFolder().violations).toEqual([expect.stringMatching(expected)])
  expect(performance.now() - startedMs).toBeLessThan(5_000)
})

it('the section models of the configuration file keeps the types of YAML', () => {
  const section = readModelsSection('port: 9000\nmodels:\n  - id: x\n    cfg: 0.5\n    on: true\n', 'framegate.yaml')
  expect(section?.documents).toEqual([{ id: 'x', cfg: 0.5, on: true }])
  expect(section?.lineOf(['models', 0, 'on'])).toBe(5)
  expect(readModelsSection('port: 9000\n', 'framegate.yaml')).toBeNull()
})

it('an unchanged file of the folder is not read again', () => {
  write('a.yaml', 'id: one\n')
  write('b.yaml', 'id: two\n')
  const { files } = readFolder()
  write('b.yaml', 'id: other\n')
  const stamps = new Map([
    ['models/a.yaml', files[0]?.stamp ?? ''],
    ['models/b.yaml', 'changed'],
  ])
  const secondRead = readModelsFolder(folder, [], { files, stamps })
  expect(secondRead[0]).toBe(files[0])
  expect(secondRead.map(({ documents }) => documents)).toEqual([{ id: 'one' }, { id: 'other' }])
})

const outsideMessage = 'is a symbolic link to a file outside of the folder models'

it.each([
  ['a pipe', (file: string) => execFileSync('mkfifo', [file]), 'is not a regular file'],
  ['a link in a circle', (file: string) => symlinkSync(file, file), 'cannot be read (ELOOP)'],
  ['a link to nowhere', (file: string) => symlinkSync(`${file}.no`, file), 'cannot be read (ENOENT)'],
  ['a link to a device', (file: string) => symlinkSync('/dev/zero', file), outsideMessage],
  ['a link to a file elsewhere', (file: string) => symlinkSync('/etc/hostname', file), outsideMessage],
] as const)('the folder is read completely although it contains %s, which is reported', (_what, createEntry, message) => {
  createEntry(path.join(folder, 'models/a.yaml'))
  write('b.yaml', 'id: two\n')
  const { files, violations } = readFolder()
  expect(violations).toEqual([`models/a.yaml: ${message}.`])
  expect(files.map(({ label }) => label)).toEqual(['models/b.yaml'])
})

it('links within the folder are followed, as in a mounted volume of Kubernetes', () => {
  mkdirSync(path.join(folder, 'models/..2026_11'))
  write('..2026_11/a.yaml', 'id: one\n')
  symlinkSync('..2026_11', path.join(folder, 'models/..data'))
  symlinkSync('..data/a.yaml', path.join(folder, 'models/a.yaml'))
  const { files, violations } = readFolder()
  expect(violations).toEqual([])
  expect(files.map(({ documents }) => documents)).toEqual([{ id: 'one' }])
})

it('no further file is read after a hundred errors', () => {
  for (let index = 0; index < 300; index++) write(`${index}.yaml`, 'id: [')
  expect(readFolder().violations).toHaveLength(100)
})

it('changed files are read in advance, except those with errors', async () => {
  write('a.yaml', 'id: one\n')
  write('b.yaml', 'id: [')
  const stamps = new Map(['models/a.yaml', 'models/b.yaml'].map((name) => [name, fileStamp(path.join(folder, name)) ?? '']))
  const previous = await readChangedModels(folder, { files: [], stamps })
  expect(previous.files.map(({ label }) => label)).toEqual(['models/a.yaml'])
  const violations: string[] = []
  expect(readModelsFolder(folder, violations, previous)[0]).toBe(previous.files[0])
  expect(violations).toEqual([expect.stringMatching(/^models\/b.yaml, line 1/)])
})

it('thousands of errors in one file are reported quickly, with the lines of the first hundred', () => {
  write('a.yaml', Array.from({ length: 5_000 }, (_, index) => `- id: model-${index}\n  object: film\n`).join(''))
  const { files } = readFolder()
  const startedMs = performance.now()
  const { violations } = readModelDocuments(files, [])
  expect(performance.now() - startedMs).toBeLessThan(5_000)
  expect(violations).toHaveLength(101)
  expect(violations[99]).toBe('models/a.yaml, line 200: [99].object must be one of image, video, chat, embedding, moderation.')
  expect(violations[100]).toBe('There are 4900 more errors in models.')
})
