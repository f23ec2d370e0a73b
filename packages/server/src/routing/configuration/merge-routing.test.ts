import { expect, it } from 'vitest'
import { readRoutingFile } from '../../config/routing-file.ts'
import { upstreamDrivers } from '../../drivers/upstream-drivers.ts'
import { createEncryption } from '../encryption.ts'
import { mergeRouting } from './merge-routing.ts'

const model = 'imgA-5.0'
const file = readRoutingFile(
  `routes: [{ model: ${model}, upstream: studio, upstream_model: a }]`,
  { env: {}, label: 'framegate.yaml', path: '/framegate.yaml', baseDir: '/' },
  [],
)
const context = { drivers: upstreamDrivers, modelIds: new Set([model]), findUnusableReason: () => null }
const encryption = createEncryption(Buffer.alloc(32).toString('base64'))
const otherEncryption = createEncryption(Buffer.alloc(32, 1).toString('base64'))

it.each([
  ['an invalid address', { driver: 'openai', base_url: 'not a URL' }, encryption],
  ['a key that cannot be decrypted', { driver: 'openai' }, otherEncryption],
])(
  'a route in the file and its model are disabled while the stored upstream of the route has %s',
  (_, definition, keyEncryption) => {
    const upstreams = new Map([['studio', { definition, credential: keyEncryption.encrypt('sk-1') }]])
    const merged = mergeRouting(file, { upstreams, routes: new Map() }, context, encryption)
    expect(merged.fileViolations).toEqual([])
    expect(merged.routing).toMatchObject({ routes: [], disabledModels: [model] })
    expect(merged.routes).toMatchObject([
      {
        name: 'studio',
        source: 'file',
        violations: [{ path: ['upstream'], message: 'is disabled; correct the upstream first' }],
      },
    ])
  },
)
