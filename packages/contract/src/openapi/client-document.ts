import type { OpenApiDocument, Operation, PathItem, Paths } from './document-types.ts'
import { withoutSource } from './operation.ts'

/** Paths that load balancers, Prometheus and upstreams (provider APIs) request. */
const operatorPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics', '/callbacks/{route}/{attempt}/{token}'])

type Components = OpenApiDocument['components']

/**
 * The document for clients of a brand, a storefront with its own name. It omits the operator's API,
 * the components that only the operator's API uses, and the `Source` line of each operation.
 */
export function clientDocument(document: OpenApiDocument): OpenApiDocument {
  const { license: _license, ...info } = document.info
  const paths = Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, item]) => {
      const isOperators = path.startsWith('/admin/') || operatorPaths.has(path)
      return isOperators ? [] : [[path, itemWithoutSources(item)] as const]
    }),
  )
  const usedTags = new Set(operationsOf(paths).flatMap(({ tags }) => tags))
  return {
    ...document,
    info,
    tags: document.tags.filter(({ name }) => usedTags.has(name)),
    paths,
    components: usedComponents(paths, document.components),
  }
}

function itemWithoutSources(item: PathItem): PathItem {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]: [string, PathItem[keyof PathItem]]) => [
      name,
      value === undefined || Array.isArray(value) ? value : { ...value, description: withoutSource(value.description) },
    ]),
  )
}

function operationsOf(paths: Paths): Operation[] {
  return Object.values(paths).flatMap(({ servers: _servers, ...operations }) => Object.values(operations))
}

function usedComponents(paths: Paths, components: Components): Components {
  const usedNames = new Set<string>()
  const pending: unknown[] = [paths]
  while (pending.length > 0) {
    for (const name of referencesIn(pending.pop())) {
      if (usedNames.has(name)) continue
      usedNames.add(name)
      const [kind = '', component = ''] = name.split('/').slice(2)
      pending.push((components as Record<string, Record<string, unknown>>)[kind]?.[component])
    }
  }
  const usedSections = Object.entries(components).map(([kind, section]) => [
    kind,
    // All security schemes are kept, because operations name them without a `$ref`.
    kind === 'securitySchemes'
      ? section
      : Object.fromEntries(Object.entries(section).filter(([name]) => usedNames.has(`#/components/${kind}/${name}`))),
  ])
  return Object.fromEntries(usedSections) as Components
}

/** Collects the value of every `$ref` and of every discriminator mapping. */
function referencesIn(part: unknown): string[] {
  if (typeof part === 'string') return part.startsWith('#/components/') ? [part] : []
  if (typeof part !== 'object' || part === null) return []
  return Object.values(part).flatMap(referencesIn)
}
