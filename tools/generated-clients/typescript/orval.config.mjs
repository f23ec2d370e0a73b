export default {
  framegate: {
    input: process.env.FRAMEGATE_DOCUMENT,
    output: { target: 'orval/framegate.ts', client: 'fetch', baseUrl: process.env.FRAMEGATE_URL },
  },
}
