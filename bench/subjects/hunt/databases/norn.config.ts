import { defineConfig, postgres, redis } from 'norn'

export default defineConfig({
  databases: { main: postgres({ prepare: 'node prepare.mjs' }), cache: redis() },
})
