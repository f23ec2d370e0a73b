import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', '{tools,bench}/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Renders and servers share few cores: more files at once only make each slower.
    maxWorkers: 2,
    pool: 'forks',
  },
})
