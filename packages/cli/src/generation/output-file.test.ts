import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { numberedTargets, outputPath, outputTarget } from './output-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'framegate-output-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const result = { prompt: 'A red kite, over a WHEAT field!', id: 'task_0123456789abcdef', type: 'video/mp4' }

it('an output file without a given name is named after its prompt and task', () => {
  expect(outputPath(outputTarget(folder, false), result)).toBe(join(folder, 'a-red-kite-over-a-wheat-field-89abcdef.mp4'))
  expect(outputPath(outputTarget(undefined, false), { ...result, type: 'image/png' })).toBe(
    'a-red-kite-over-a-wheat-field-89abcdef.png',
  )
})

it.each([
  ['../../etc/passwd', 'etc-passwd-89abcdef.mp4'],
  ['  ***  ', '89abcdef.mp4'],
  ['Ein Löwe 在海边 🦁', 'ein-löwe-在海边-89abcdef.mp4'],
  ['x'.repeat(500), `${'x'.repeat(48)}-89abcdef.mp4`],
])('the prompt %j becomes a plain file name', (prompt, name) => {
  expect(outputPath(outputTarget(folder, false), { ...result, prompt })).toBe(join(folder, name))
})

it.each(['new/./', 'new/../other/'])('the missing folders of %s are created', (name) => {
  const path = `${folder}/${name}`
  outputTarget(path, false)
  expect(statSync(path).isDirectory()).toBe(true)
})

it('a task id with slashes does not change the folder of the result', () => {
  expect(outputPath(outputTarget(folder, false), { ...result, prompt: '', id: 'x/../../a' })).toBe(join(folder, '_______a.mp4'))
})

it.each([
  ['kite.mp4', 'video/mp4', 'kite.mp4'],
  ['KITE.MP4', 'video/mp4', 'KITE.MP4'],
  ['kite.jpeg', 'image/jpeg', 'kite.jpeg'],
  ['kite.jpg', 'image/png', 'kite.png'],
  ['kite.png', 'video/mp4; codecs=avc1', 'kite.mp4'],
  ['kite', 'image/png', 'kite.png'],
  ['kite v1.2', 'video/mp4', 'kite v1.2.mp4'],
  ['kite.mp4', 'application/octet-stream', 'kite.mp4'],
])('the output name %j, for a result of type %s, becomes %j', (name, type, expectedName) => {
  expect(outputPath(outputTarget(join(folder, name), false), { ...result, type })).toBe(join(folder, expectedName))
})

it('an output file whose corrected extension names an existing file gets a name of its own', () => {
  writeFileSync(join(folder, 'kite.png'), '')
  const target = outputTarget(join(folder, 'kite.jpg'), false)
  expect(outputPath(target, { ...result, type: 'image/png' })).toBe(join(folder, 'kite-89abcdef.png'))
})

it('an empty output name is rejected', () => {
  expect(() => numberedTargets('', false, 1)).toThrow('--output must be the path of a file or folder; it is empty.')
})

it('several results with one output name get numbers that sort in order', () => {
  const names = (count: number) => numberedTargets(join(folder, 'kite.mp4'), false, count).map(({ fileName }) => fileName)
  expect(names(1)).toEqual(['kite.mp4'])
  expect(names(3)).toEqual(['kite-1.mp4', 'kite-2.mp4', 'kite-3.mp4'])
  expect(names(10).slice(8)).toEqual(['kite-09.mp4', 'kite-10.mp4'])
  expect(numberedTargets(folder, false, 2).map(({ fileName }) => fileName)).toEqual([null, null])
})

it('the results of one task are numbered after the given or derived name, and never overwrite a file', () => {
  const thirdResult = { ...result, type: 'image/png', number: { position: 3, count: 12 } }
  const target = outputTarget(join(folder, 'kite.jpg'), false)
  expect(outputPath(target, thirdResult)).toBe(join(folder, 'kite-03.png'))
  writeFileSync(join(folder, 'kite-03.png'), '')
  expect(outputPath(target, thirdResult)).toBe(join(folder, 'kite-89abcdef-03.png'))
  expect(outputPath(outputTarget(folder, false), thirdResult)).toBe(join(folder, 'a-red-kite-over-a-wheat-field-89abcdef-03.png'))
})

it('an existing output file is rejected, unless overwriting is allowed', () => {
  const path = join(folder, 'kite.mp4')
  writeFileSync(path, '')
  expect(() => outputTarget(path, false)).toThrow(`${path} exists already`)
  expect(outputPath(outputTarget(path, true), result)).toBe(path)
})

it('an output path that ends in a slash creates the folder', () => {
  const lakes = join(folder, 'films/lakes/')
  expect(outputPath(outputTarget(lakes, false), result)).toBe(join(lakes, 'a-red-kite-over-a-wheat-field-89abcdef.mp4'))
  expect(statSync(lakes).isDirectory()).toBe(true)
})

it('an output path in a missing folder or below a file is rejected', () => {
  expect(() => outputTarget(join(folder, 'absent/kite.mp4'), false)).toThrow('there is no such folder')
  writeFileSync(join(folder, 'file'), '')
  expect(() => outputTarget(join(folder, 'file/kite.mp4'), false)).toThrow('cannot be written to')
  expect(() => outputTarget(join(folder, 'file/'), false)).toThrow('cannot be written to')
})
