import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { pages, repository } from './pages.ts'

/** Returns the anchors that GitHub generates for the headings of a page. */
function anchorsOf(markdown: string): Set<string> {
  const headings = markdown.replaceAll(/^```.*?^```/gms, '').matchAll(/^#+ (.+)$/gm)
  return new Set(
    Array.from(headings, ([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  )
}

function findLinkError(page: string, target: string): string | null {
  const [relative = '', anchor] = target.split('#')
  const file = path.join(repository, relative === '' ? page : path.join(path.dirname(page), relative))
  if (!existsSync(file)) return `${page}: there is no ${target}`
  if (anchor === undefined || statSync(file).isDirectory() || !file.endsWith('.md')) return null
  return anchorsOf(readFileSync(file, 'utf8')).has(anchor) ? null : `${page}: there is no heading ${target}`
}

it('the links of all pages lead to existing files and headings', () => {
  const errors = pages.flatMap(({ name, markdown }) =>
    Array.from(markdown.replaceAll(/^```.*?^```/gms, '').matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target)
      .filter((target) => !/^\w+:/.test(target))
      .map((target) => findLinkError(name, target))
      .filter((error) => error !== null),
  )
  expect(errors).toEqual([])
})

function findUnlinked(page: string, links: readonly string[]): string[] {
  const markdown = pages.find(({ name }) => name === page)?.markdown ?? ''
  return links.filter((link) => !markdown.includes(`(${link})`))
}

it('the README, the API reference and the list of guides link to every guide', () => {
  const guides = pages.flatMap(({ name }) => /^docs\/guides\/([a-z-]+\.md)$/.exec(name)?.[1] ?? [])
  expect(guides.length).toBeGreaterThanOrEqual(10)
  expect(findUnlinked('docs/guides/README.md', guides)).toEqual([])
  expect(
    findUnlinked(
      'docs/api.md',
      [...guides, 'README.md'].map((guide) => `guides/${guide}`),
    ),
  ).toEqual([])
  expect(
    findUnlinked(
      'README.md',
      guides.map((guide) => `docs/guides/${guide}`),
    ),
  ).toEqual([])
})
