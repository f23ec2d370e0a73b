import type { FastifyInstance, RouteOptions } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set on a route whose only purpose is to respond with 405. */
    isMethodGuard?: true
  }
}

/** Looks up the methods of a path, to distinguish a wrong method (405) from a wrong path (404). */
export interface AllowedMethods {
  /** Value of the Allow header; undefined for a path that does not exist. */
  methodsAt(path: string): string | undefined
}

interface Resource {
  segments: string[]
  methods: string[]
}

/** Collects the methods of all routes that are added to `app` after this call. */
export function collectAllowedMethods(app: FastifyInstance): AllowedMethods {
  const resources = new Map<string, Resource>()

  app.addHook('onRoute', ({ url, method, config }: RouteOptions) => {
    if (config?.isMethodGuard === true) return
    const resource = resources.get(url) ?? { segments: url.split('/'), methods: [] }
    resource.methods.push(...[method].flat())
    resources.set(url, resource)
  })

  return {
    methodsAt(path) {
      const segments = path.split('/')
      // A path without parameters takes precedence. For example, /tasks/quote is not a task.
      const resource =
        resources.get(path) ?? [...resources.values()].find((candidate) => matchesPath(candidate.segments, segments))
      return resource && [...new Set(resource.methods).add('OPTIONS')].join(', ')
    },
  }
}

function matchesPath(patternSegments: string[], segments: string[]): boolean {
  return (
    patternSegments.length === segments.length &&
    patternSegments.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))
  )
}
