import type { Model } from '@framegate/sdk'
import { describe, expect, it } from 'vitest'
import { isLocalAddress } from '../src/local-address.ts'
import { RequestParameters } from '../src/request-parameters.ts'

function parametersOf(properties: object, fixedResolution: string | null = null): RequestParameters {
  return new RequestParameters({ parameters: { properties }, fixed_resolution: fixedResolution } as unknown as Model)
}

describe('RequestParameters.setSize', () => {
  const sizes = { resolution: { enum: ['540p', '720p', '1080p'] }, aspect_ratio: { enum: ['1:1', '16:9', '9:16'] } }

  it.each([
    ['1280x720', '720p', '16:9', 0],
    ['720x1280', '720p', '9:16', 0],
    ['1920x1080', '1080p', '16:9', 0],
    ['1000x1000', '1080p', '1:1', 1],
    ['1280x800', '720p', '16:9', 2],
  ] as const)('%s becomes %s and %s with %i warnings', (size, resolution, ratio, warnings) => {
    const parameters = parametersOf(sizes)
    parameters.setSize('resolution', size, false)
    expect(parameters.values).toEqual({ resolution, aspect_ratio: ratio })
    expect(parameters.warnings).toHaveLength(warnings)
  })

  it('setSize keeps an aspect ratio that the request sets', () => {
    const parameters = parametersOf(sizes)
    parameters.setSize('resolution', '1280x720', true)
    expect(parameters.values).toEqual({ resolution: '720p' })
  })

  it('setSize reads resolution classes such as 2K as multiples of 1024 pixels', () => {
    const parameters = parametersOf({ resolution: { enum: ['1K', '2K'] }, aspect_ratio: { enum: ['1:1', '3:2'] } })
    parameters.setSize('size', '3072x2048', false)
    expect([parameters.values, parameters.warnings]).toEqual([{ resolution: '2K', aspect_ratio: '3:2' }, []])
  })

  it('setSize warns if a model has a fixed resolution or none', () => {
    const fixed = parametersOf({}, '768p')
    fixed.setSize('resolution', '1280x720', false)
    expect(fixed.warnings).toEqual([
      { type: 'unsupported', feature: 'resolution', details: 'The resolution of the model is always 768p.' },
    ])
    const noParameters = parametersOf({ resolution: { enum: ['wide'] } })
    noParameters.setSize('resolution', '1280x720', false)
    expect([noParameters.values, noParameters.warnings.length]).toEqual([{}, 1])
  })
})

describe('isLocalAddress', () => {
  it.each([
    'http://localhost:8787/x',
    'http://a.localhost/x',
    'http://127.0.0.1/x',
    'http://10.1.2.3/x',
    'http://172.31.0.1/x',
    'http://192.168.1.1/x',
    'http://100.64.0.1/x',
    'http://169.254.1.1/x',
    'http://[::1]:8787/x',
    'http://[fd00::1]/x',
    'http://[fe80::1]/x',
    'http://[::ffff:10.0.0.1]/x',
    'http://framegate:8787/x',
    'http://box.local/x',
    'http://gateway.internal/x',
  ])('%s is local', (link) => {
    expect(isLocalAddress(link)).toBe(true)
  })

  it.each([
    'https://framegate.example.com/x',
    'https://8.8.8.8/x',
    'https://172.32.0.1/x',
    'https://100.128.0.1/x',
    'https://[2001:db8::1]/x',
    'https://local.example.com/x',
  ])('%s is public', (link) => {
    expect(isLocalAddress(link)).toBe(false)
  })
})
