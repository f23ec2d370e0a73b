import { expect, it } from 'vitest'
import { openApiDocument } from './document.ts'

it.each(['all', 'clients'] as const)(
  'the introduction of the document for %s lists every error code of its operations',
  (audience) => {
    const { info, components } = openApiDocument({ audience, basePath: '/api', models: [], allowsSimulation: true })
    const codes = Object.values(components.responses).flatMap(({ content }) =>
      Object.keys(content?.['application/json']?.examples ?? {}),
    )
    expect(codes.length).toBeGreaterThan(40)
    expect(codes.filter((code) => !info.description.includes(`| \`${code}\` |`))).toEqual([])
  },
)
