import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readSnippets, type ReadPage } from './read-snippets.ts'

export const repository = fileURLToPath(new URL('../..', import.meta.url))

export interface Page extends ReadPage {
  /** Path in the repository. */
  name: string
  markdown: string
}

/** All documentation pages. */
export const pages: Page[] = ['*.md', 'docs/**/*.md', 'examples/**/*.md', 'packages/*/{*.md,docs/**/*.md}']
  .flatMap((pattern) => globSync(pattern, { cwd: repository }))
  .toSorted()
  .map((name) => {
    const markdown = readFileSync(path.join(repository, name), 'utf8')
    const { snippets, errors } = readSnippets(name, markdown)
    return { name, markdown, snippets, errors }
  })
