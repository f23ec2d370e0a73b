import { describe, expect, it } from 'vitest'
import { readModelDocument } from '../../src/catalogue/definitions/read-model-document.ts'
import { readComfyuiWorkflow } from '../../src/catalogue/import/comfyui/comfyui-workflow.ts'
import type { ImportedModel } from '../../src/catalogue/import/imported-model.ts'
import { comfyuiDriver } from '../../src/drivers/comfyui/comfyui-driver.ts'
import type { UpstreamTarget } from '../../src/drivers/upstream/upstream-driver.ts'
import { appModeFile, comfyuiNodeTypes, comfyuiWorkflows } from './comfyui-workflows.ts'

function importWorkflow(workflow: Record<string, unknown>, editorFile: Record<string, unknown> | null = null): ImportedModel {
  return readComfyuiWorkflow({ workflow, editorFile, nodeTypes: comfyuiNodeTypes, name: 'kite' })
}

function violationsOf({ suggestedId: id, object, title, description, parameters, required, routes }: ImportedModel): unknown[] {
  const [route] = routes
  const target = { model: 'kite', parameters: {}, extra: {}, baseUrl: '', workflow: null, ...route } as unknown as UpstreamTarget
  return [
    ...readModelDocument({ id, object, title, description, parameters, required }).violations,
    ...(comfyuiDriver.findRouteViolations?.(target) ?? []),
  ]
}

/** Returns a test workflow with titles, which are given by node id. */
function titledWorkflow(name: keyof typeof comfyuiWorkflows, titles: Record<string, string>): Record<string, unknown> {
  const nodes = Object.entries(comfyuiWorkflows[name]).map(([id, node]) => {
    const title = titles[id]
    return [id, title === undefined ? node : { ...node, _meta: { title } }]
  })
  return Object.fromEntries(nodes) as Record<string, unknown>
}

describe('a ComfyUI workflow', () => {
  it.each(Object.keys(comfyuiWorkflows))('the workflow %s becomes a model and a route that the driver accepts', (name) => {
    const model = importWorkflow(comfyuiWorkflows[name as keyof typeof comfyuiWorkflows])
    expect(violationsOf(model)).toEqual([])
  })

  it('the prompts of a workflow are found along the links from the sampler, and ranges come from the node types', () => {
    const model = importWorkflow(comfyuiWorkflows['sdxl-text-to-image'])
    expect(model.object).toBe('image')
    expect(model.routes[0]?.slots).toEqual({
      seed: '3.seed',
      steps: '3.steps',
      guidance: '3.cfg',
      width: '5.width',
      height: '5.height',
      prompt: '6.text',
      negative_prompt: '7.text',
    })
    expect(model.parameters['steps']).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 10_000,
      title: 'Steps',
      'x-advanced': true,
      default: 25,
    })
    expect(model.parameters['guidance']).toMatchObject({ type: 'number', minimum: 0, maximum: 100, default: 7.5 })
    expect(model.parameters['resolution']).toEqual({ enum: ['1K'], default: '1K' })
  })

  it('an image of a video workflow becomes the first frame, and the number of frames becomes seconds', () => {
    const model = importWorkflow(comfyuiWorkflows['wan-image-to-video'])
    expect(model).toMatchObject({ object: 'video', required: ['prompt', 'first_frame'] })
    expect(model.routes[0]?.slots).toMatchObject({
      first_frame: '21.image',
      frames: '20.length',
      frame_rate: '11.fps',
      prompt: '6.text',
      negative_prompt: '7.text',
    })
    expect(model.parameters['seconds']).toEqual({ minimum: 1, maximum: 10, default: 5 })
    expect(model.parameters['resolution']).toEqual({ enum: ['720p'], default: '720p' })
    expect(importWorkflow(comfyuiWorkflows['wan-first-last-frame']).required).toEqual(['prompt', 'first_frame', 'last_frame'])
  })

  it('nodes whose titles begin with input: become parameters', () => {
    const model = importWorkflow(comfyuiWorkflows['flux-dev'])
    expect(model.routes[0]?.slots).toMatchObject({ checkpoint: '4.ckpt_name', prompt: '6.text' })
    expect(model.parameters['checkpoint']).toMatchObject({
      enum: ['sd_xl_base_1.0.safetensors', 'flux1-dev.safetensors'],
      default: 'flux1-dev.safetensors',
    })
    expect(importWorkflow(comfyuiWorkflows['edit-image']).routes[0]?.slots).toMatchObject({
      zoom: '5.scale_by',
      reference_images: '21.image',
    })
  })

  it.each<[keyof typeof comfyuiWorkflows, Record<string, string>, Record<string, string>]>([
    ['wan-image-to-video', { 21: 'input:first_frame' }, { first_frame: '21.image' }],
    ['wan-image-to-video', { 21: 'input:last_frame' }, { last_frame: '21.image' }],
    ['wan-image-to-video', { 21: 'input:reference_images' }, { reference_images: '21.image' }],
    ['wan-first-last-frame', { 21: 'input:last_frame' }, { last_frame: '21.image', first_frame: '22.image' }],
    ['edit-image', { 21: 'input:first_frame' }, { reference_images: '21.image' }],
  ])('the images of the workflow %s with the node titles %j have the slots %j', (name, titles, slots) => {
    const model = importWorkflow(titledWorkflow(name, titles))
    expect(violationsOf(model)).toEqual([])
    expect(model.routes[0]?.slots).toMatchObject(slots)
    expect(model.required.toSorted()).toEqual(['prompt', ...Object.keys(slots)].toSorted())
  })

  it.each([
    ['n', 'it does not fit the shared parameter n; choose another name, such as my_n'],
    ['first_frame', 'it does not fit the shared parameter first_frame; choose another name, such as my_first_frame'],
    ['__proto__', 'a parameter cannot be called __proto__; choose another name'],
  ])('an input whose node has the title input:%s is omitted, with the note: %s', (name, reason) => {
    const model = importWorkflow(titledWorkflow('sdxl-text-to-image', { 3: `input:${name}.cfg` }))
    expect(violationsOf(model)).toEqual([])
    expect(model.notes).toContainEqual({ field: '3.cfg', message: `It was left out: ${reason}.` })
  })

  it('a title input:frames in a workflow for images has no effect', () => {
    expect(violationsOf(importWorkflow(titledWorkflow('sdxl-text-to-image', { 3: 'input:frames.cfg' })))).toEqual([])
  })

  it("the inputs listed in the editor's App Mode become parameters", () => {
    const model = importWorkflow(comfyuiWorkflows['sdxl-text-to-image'], appModeFile)
    expect(model.routes[0]?.slots).toMatchObject({ sampler_name: '3.sampler_name', steps: '3.steps' })
    expect(model.parameters['sampler_name']).toMatchObject({ enum: ['euler', 'euler_ancestral', 'dpmpp_2m'], default: 'euler' })
  })

  it('marker nodes of ComfyUI Deploy become parameters, except those without a value to replace', () => {
    const model = importWorkflow(comfyuiWorkflows['deploy-markers'])
    expect(model.routes[0]?.slots).toMatchObject({ prompt: '30.default_value', detail: '31.default_value' })
    expect(model.parameters['detail']).toMatchObject({ type: 'number', minimum: 0, maximum: 10, default: 2, title: 'Detail' })
    expect(model.notes).toContainEqual({
      field: 'face',
      message: 'It was left out: node 32 has no value to replace; use a node such as LoadImage.',
    })
  })

  const sdxl = comfyuiWorkflows['sdxl-text-to-image']
  it.for([
    [
      'of the editor',
      { nodes: [], links: [] },
      'The workflow is in the format of the editor; export it with Workflow > Export (API).',
    ],
    ['without nodes', {}, 'The workflow has no nodes.'],
    [
      'with five hundred and one nodes',
      Object.fromEntries(Array.from({ length: 501 }, (_, id) => [String(id), sdxl['6']])),
      'The workflow has more than 500 nodes.',
    ],
    ['with a node that is a text', { 1: 'x' }, 'Node 1 of the workflow must have class_type and inputs.'],
    [
      'with an id that is a path',
      { '../x': sdxl['6'] },
      'The workflow has a node with the id ../x, which must consist of letters, digits, colons, dashes and underscores.',
    ],
    [
      'with a type that is an address',
      { 1: { class_type: '../../etc?x', inputs: {} } },
      'Node 1 of the workflow has the invalid type ../../etc?x.',
    ],
    [
      'with a type that the server does not have',
      { ...sdxl, 99: { class_type: 'Magic', inputs: {} } },
      'Node 99 is of the type Magic, which the server does not have; install it there first.',
    ],
    [
      'that saves nothing',
      { 6: sdxl['6'] },
      'The workflow has no node that saves a video or an image, such as SaveVideo or SaveImage.',
    ],
    [
      'without a prompt',
      { 9: sdxl['9'] },
      'The workflow has no text that becomes the prompt; title its node input:prompt in the editor and export again.',
    ],
    [
      'whose links form a circle',
      { ...sdxl, 6: { class_type: 'CLIPTextEncode', inputs: { text: ['6', 0], clip: ['4', 1] } } },
      'The workflow has no text that becomes the prompt; title its node input:prompt in the editor and export again.',
    ],
    [
      'whose size comes from another node',
      { ...sdxl, 5: { class_type: 'EmptyLatentImage', inputs: { width: ['3', 0], height: ['3', 0], batch_size: 1 } } },
      'The workflow has no width and height that take a value, and no image that decides the shape of the result.',
    ],
    [
      'whose title names a link',
      { ...sdxl, 8: { ...sdxl['8'], _meta: { title: 'input:zoom' } } },
      'Node 8 is titled input:zoom and has no input with a value.',
    ],
  ] as const)('a workflow %s is refused with the reason', ([, workflow, message]) => {
    expect(() => importWorkflow({ ...workflow })).toThrow(message)
  })
})
