import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startService, type StartedService } from './started-service.ts'

const definition = `
id: House Images
object: image
parameters:
  prompt: {}
  guidance: { type: number, minimum: 1, maximum: 20, default: 3.5 }
  tags: { type: array, items: { type: string } }
price: { per_image: 0.05 }
`

let service: StartedService
let folder: string
beforeAll(async () => {
  service = await startService()
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-definitions-'))
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

function writeInput(name: string, text: string): string {
  const filePath = path.join(folder, name)
  writeFileSync(filePath, text)
  return filePath
}

it('the CLI creates, shows, changes, exports and deletes a model', async () => {
  const created = await service.run(['models', 'create', writeInput('house.yaml', definition)])
  expect([created.exitCode, created.stderr]).toEqual([0, ''])
  expect(created.stdout).toMatch(
    /^Model ID +House Images\nType +image\nCredits +per image 0.05 \(\*\)\nDefined in +the database\nVersion +\d+$/m,
  )
  expect((await service.run(['models', 'show', 'House Images'])).stdout).toMatch(/guidance +number +3.5 +1 to 20/)

  const imagePath = path.join(folder, 'fox.png')
  const generation = await service.run([
    'generate',
    'a fox',
    '--model',
    'House Images',
    '--param',
    'guidance=4',
    '--param',
    'tags=["a","b"]',
    '-o',
    imagePath,
  ])
  expect([generation.exitCode, generation.stdout]).toEqual([0, `${imagePath}\n`])
  const [task] = JSON.parse((await service.run(['tasks', 'list', '--json'])).stdout).items
  const taskView = JSON.parse((await service.run(['tasks', 'get', task.id, '--json'])).stdout)
  expect(taskView.parameters).toEqual({ prompt: 'a fox', guidance: 4, tags: ['a', 'b'] })

  const updateRun = await service.run([
    'models',
    'update',
    'House Images',
    '--set',
    'price={"per_image": 0.5}',
    '--set',
    'title=House',
  ])
  expect(updateRun.stdout).toContain('per image 0.5 (*)')
  const exported = (await service.run(['models', 'export'])).stdout
  expect(exported).toMatch(/^models:\n {2}- id: House Images\n/)
  expect(exported).toContain('title: House')
  await service.run(['models', 'update', 'House Images', '--file', writeInput('again.yaml', definition)])
  expect((await service.run(['models', 'export', 'House Images'])).stdout).not.toContain('title:')

  expect(await service.run(['models', 'delete', 'House Images'])).toMatchObject({ exitCode: 0, stdout: 'House Images deleted\n' })
  expect((await service.run(['models', 'export'])).stderr).toContain('Operators have defined no models')
  const restored = await service.run(['models', 'create', writeInput('exported.yaml', exported), '--json'])
  expect(JSON.parse(restored.stdout).items[0].definition).toMatchObject({
    id: 'House Images',
    title: 'House',
    price: { per_image: 0.5 },
  })
})

it('the CLI names an invalid field of a definition, and reports a file that is not YAML or has too many models', async () => {
  const invalidRun = await service.run(['models', 'create', writeInput('wrong.yaml', 'id: x\nobject: song\nparameters: {}\n')])
  expect([invalidRun.exitCode === 0, invalidRun.stderr]).toEqual([
    false,
    expect.stringContaining('object must be one of image, video, chat'),
  ])
  const broken = await service.run(['models', 'create', writeInput('broken.yaml', 'id: [')])
  expect([broken.exitCode, broken.stderr]).toEqual([2, expect.stringContaining('broken.yaml is not YAML')])
  const several = await service.run(['models', 'update', 'x', '--file', writeInput('several.yaml', `models: [{id: a}, {id: b}]`)])
  expect(several.stderr).toContain('has 2 models; at most 1 can be read here')
})

it('framegate models create reports the errors of all definitions, each with file and line', async () => {
  const path = writeInput(
    'several-wrong.yaml',
    `models:
  - id: line-two
    object: image
    parameters:
      prompt: {}
      style: { type: text }
    titel: Two
  - { id: right, object: image, parameters: { prompt: {} } }
  - id: Right
    object: image
    parameters: { prompt: {} }
`,
  )
  const refused = await service.run(['models', 'create', path])
  expect([refused.exitCode, refused.stderr.trimEnd().split('\n')]).toEqual([
    2,
    [
      expect.stringMatching(/^.*several-wrong.yaml, line 7: titel is not a field of a model; did you mean title\?$/),
      expect.stringMatching(/^.*several-wrong.yaml, line 6: parameters.style.type must be one of/),
      expect.stringMatching(/^.*several-wrong.yaml, line 9: id must be distinguishable: "Right" looks like "right"/),
      '1 of 3 models of the file are defined.',
    ],
  ])
})

it('a chat model is shown with its kind, and can be replaced by an embedding model', async () => {
  const chat = 'id: talk\nobject: chat\nmax_input_tokens: 100\nmax_output_tokens: 10\n'
  expect((await service.run(['models', 'create', writeInput('chat.yaml', chat)])).stdout).toMatch(/^Type +chat$/m)
  const replaced = writeInput('embedding.yaml', 'id: talk\nobject: embedding\nmax_input_tokens: 100\n')
  expect((await service.run(['models', 'update', 'talk', '--file', replaced])).stdout).toMatch(/^Type +embedding$/m)
})

it('a repeated framegate models create adds the missing models, and a definition that differs is rejected', async () => {
  const models = ['a', 'b', 'c'].map((id) => ({ id: `resumed-${id}`, object: 'image', parameters: { prompt: {} } }))
  expect((await service.run(['models', 'create', writeInput('first.json', JSON.stringify(models.slice(0, 2)))])).exitCode).toBe(0)
  const repeated = await service.run(['models', 'create', writeInput('all.json', JSON.stringify(models)), '--json'])
  expect(JSON.parse(repeated.stdout).items.map(({ id }: { id: string }) => id)).toEqual(['resumed-a', 'resumed-b', 'resumed-c'])
  const otherRun = await service.run([
    'models',
    'create',
    writeInput('other.json', JSON.stringify({ ...models[0], title: 'Other' })),
  ])
  expect([otherRun.exitCode, otherRun.stderr]).toEqual([
    expect.any(Number),
    expect.stringContaining('The model resumed-a already exists'),
  ])
  expect(otherRun.exitCode).not.toBe(0)
})

it('a replaced definition loses limits on inputs that the new file does not have', async () => {
  const clip = { id: 'limited', object: 'video', parameters: { prompt: {}, reference_videos: {} } }
  await service.run([
    'models',
    'create',
    writeInput('limited.json', JSON.stringify({ ...clip, inputs: { video: { seconds_max: 5 } } })),
  ])
  const plain = { ...clip, parameters: { prompt: {} } }
  const replaced = await service.run([
    'models',
    'update',
    'limited',
    '--file',
    writeInput('plain.json', JSON.stringify(plain)),
    '--json',
  ])
  expect([replaced.exitCode, JSON.parse(replaced.stdout).definition.inputs]).toEqual([0, undefined])
})
