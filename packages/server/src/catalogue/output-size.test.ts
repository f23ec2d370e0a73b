import { expect, it } from 'vitest'
import { createCatalogue } from './catalogue.ts'
import { defaultFamilies } from './default-families.ts'
import { outputSize } from './output-size.ts'
import { parseParameters } from './parse-parameters.ts'

const catalogue = createCatalogue(defaultFamilies)

it.each<[string, object, number, number]>([
  ['imgA-5.0', {}, 1024, 1024],
  ['imgA_5.0Pro', { aspect_ratio: '16:9', resolution: '2K' }, 2720, 1536],
  ['vidC2Stable', {}, 1280, 720],
  ['vidC2Stable', { aspect_ratio: '9:16' }, 720, 1280],
  ['vidB_1_5_pro_1080p', {}, 1920, 1080],
  ['vidG_video3_pro', { aspect_ratio: '1:1' }, 720, 720],
  ['vidM-H3-2K-c1', {}, 2560, 1440],
  ['vidM-H3-768p', { aspect_ratio: '4:3' }, 1024, 768],
  ['vidDq3-pro', { resolution: '540p' }, 960, 540],
])('the output size of %s with %j is %i x %i', (id, parameters, width, height) => {
  const model = catalogue.find(id)!
  const parsed = parseParameters(model, { model: id, prompt: 'a cat', ...parameters }, () => true)
  expect(outputSize(model, parsed)).toEqual({ width, height })
})

it.each([
  ['5:4', '1K', 1280, 1024],
  ['16:9', '4K', 4096, 2304],
  ['1536x640', '1K', 1536, 640],
  ['832*1104', undefined, 832, 1104],
  ['auto', '0.5', 1024, 1024],
  ['99999x10', undefined, 1024, 1024],
  ['99999x99999', undefined, 4096, 4096],
])(
  'the aspect ratio %s with the resolution %s, which the contract does not list, gives %i x %i pixels',
  (aspect_ratio, resolution, width, height) => {
    const model = { object: 'image' as const, fixedResolution: null, parameters: catalogue.find('imgA-5.0')!.parameters }
    const parameters = { prompt: 'a cat', aspect_ratio, ...(resolution !== undefined && { resolution }) }
    expect(outputSize(model, parameters)).toEqual({ width, height })
  },
)
