import type { FastifyInstance, RouteOptions } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set on a route that only says that the method is not allowed. */
    isRefusal?: true
  }
}

/** Says which methods a path has, so that a wrong method is answered 405 and a wrong path 404. */
export interface AllowedMethods {
  /** The value of an Allow header; undefined when there is nothing at this path. */
  at(path: string): string | undefined
}

interface Resource {
  segments: string[]
  methods: string[]
}

/** Collects every route that is added to `app` from now on. */
export function collectAllowedMethods(app: FastifyInstance): AllowedMethods {
  const resources = new Map<string, Resource>()

  app.addHook('onRoute', ({ url, method, config }: RouteOptions) => {
    if (config?.isRefusal === true) return
    const resource = resources.get(url) ?? { segments: url.split('/'), methods: [] }
    resource.methods.push(...[method].flat())
    resources.set(url, resource)
  })

  return {
    at(path) {
      const segments = path.split('/')
      // The path without parameters is the one that is meant: /tasks/quote is no task.
      const resource = resources.get(path) ?? [...resources.values()].find((known) => matches(known.segments, segments))
      return resource && [...resource.methods, 'OPTIONS'].join(', ')
    },
  }
}

function matches(pattern: string[], segments: string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))
  )
}
