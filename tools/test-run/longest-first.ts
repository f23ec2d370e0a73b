import path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = path.join(import.meta.dirname, '../..')

/**
 * The slowest test files. They start before the other files of their project, so that none of them
 * is still running at the end when other workers are idle.
 */
const longestFiles = [
  'tools/snippets/guides.test.ts',
  'tools/snippets/pages.test.ts',
  'packages/server/test/upstreams/routed-tasks.test.ts',
  'packages/server/test/clock-jump.test.ts',
  'packages/server/test/upstreams/restored-copy.test.ts',
  'packages/server/test/postgres/several-results.test.ts',
  'packages/server/test/postgres/restored-copy.test.ts',
  'packages/server/test/routing/combinations.test.ts',
  'packages/server/test/routing/invariants.test.ts',
  'tools/chaos.test.ts',
  'packages/sdk/test/runtimes.test.ts',
  'packages/server/test/s3-service.test.ts',
  'packages/server/test/hostile/media-inputs.test.ts',
  'packages/server/test/hostile/event-loop.test.ts',
  'packages/server/test/kill.test.ts',
  'packages/server/test/start-up.test.ts',
  'packages/server/test/storage-faults.test.ts',
  'packages/cli/test/apply.test.ts',
  'packages/cli/test/operation.test.ts',
  'packages/renderer/src/scenes/subjects/subjects.test.ts',
  'packages/renderer/src/picture/create-frame-source.test.ts',
  'packages/renderer/src/scenes/styles/styles.test.ts',
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return sorted.toSorted((a, b) => projects.indexOf(a.project) - projects.indexOf(b.project) || rankOf(a) - rankOf(b))
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = longestFiles.indexOf(path.relative(root, moduleId))
  return rank === -1 ? longestFiles.length : rank
}
