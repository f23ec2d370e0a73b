/** Returns the path of a request's URL as the client sent it, without the query. */
export function pathOf(url: string): string {
  const pathEnd = url.search(/[?#]/)
  return pathEnd === -1 ? url : url.slice(0, pathEnd)
}
