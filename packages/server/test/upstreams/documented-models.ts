import { readFileSync } from 'node:fs'
import { upstreamDrivers } from '../../src/drivers/upstream-drivers.ts'

/** A model listed on a driver's page, by the `upstream_model` of a route. */
export interface DocumentedModel {
  driver: string
  name: string
  object: 'image' | 'video'
}

/**
 * Models in the section "Models" of each page in docs/upstreams, from items such as
 * "Videos, Kling: `kling-v3`, `kling-o1`".
 */
export const documentedModels: readonly DocumentedModel[] = upstreamDrivers.flatMap(({ name: driver }) => {
  const page = readFileSync(new URL(`../../../../docs/upstreams/${driver}.md`, import.meta.url), 'utf8')
  const [, section = ''] = /\n## Models\n([\s\S]+?)\n## /.exec(page) ?? []
  return [...section.matchAll(/^- (Videos|Images)[^:]*:([^]*?)(?=\n- |\n\n)/gm)].flatMap(([, kind, text = '']) =>
    Array.from(text.matchAll(/`([^`]+)`/g), ([, name = '']): DocumentedModel => ({
      driver,
      name,
      object: kind === 'Videos' ? 'video' : 'image',
    })),
  )
})
