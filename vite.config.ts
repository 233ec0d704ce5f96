import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite'

/** Preloads the two Latin fonts with the page; otherwise the browser finds them only in the stylesheet. */
function preloadLatinFonts(): Plugin {
  return {
    name: 'preload-latin-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        return Object.keys(bundle ?? {})
          .filter((file) => /-latin-wght-normal-.*\.woff2$/.test(file))
          .map(
            (file): HtmlTagDescriptor => ({
              tag: 'link',
              injectTo: 'head',
              attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: true },
            }),
          )
      },
    },
  }
}

/**
 * Lets the router's components that no page uses fall out of the bundle, some 2 kB of the first page: their names for
 * debugging, which are assigned when the module loads, would keep them.
 */
function dropUnusedRouterParts(): Plugin {
  return {
    name: 'drop-unused-router-parts',
    apply: 'build',
    transform: {
      filter: { id: /node_modules\/react-router\// },
      handler: (code) =>
        code
          .replace(/^\w+\.displayName = ".*";$/gm, '')
          .replace(/= (React\S*\.(?:forwardRef|createContext|memo)\()/g, '= /* @__PURE__ */ $1'),
    },
  }
}

/** Compresses every built text file once: the server sends `file.br` or `file.gz` to clients that accept it. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      for (const file of Object.keys(bundle).filter((name) => /\.(js|css|svg|html)$/.test(name))) {
        const path = join(dir, file)
        const bytes = readFileSync(path)
        writeFileSync(`${path}.br`, brotliCompressSync(bytes))
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
      }
    },
  }
}

/** Where `npm run dev` finds the server behind the hot-reloading web. */
const api = process.env.API_URL ?? 'http://localhost:3001'

export default defineConfig({
  root: fileURLToPath(new URL('web', import.meta.url)),
  plugins: [react(), tailwindcss(), dropUnusedRouterParts(), preloadLatinFonts(), precompress()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: ['chrome111', 'edge111', 'firefox128', 'safari16.4'],
    manifest: true,
    modulePreload: { polyfill: false },
    // A font or picture inside the stylesheet would be loaded by every page, needed or not.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // 42 bits of hash: the first page names every part, and what tells versions apart does not compress.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          // Groups modules that load together: fewer requests, and better compression.
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|react-router|scheduler)\//, priority: 3 },
            { name: 'query', test: /node_modules\/@tanstack\//, priority: 3 },
            // Keeps limits out of `rules`, which would otherwise load with the first page.
            { name: 'limits', test: /contract\/limits\.ts/, priority: 4 },
            {
              name: 'rules',
              test: /node_modules\/zod\/|contract\/(field-schemas|default-validation-messages)\.ts/,
              priority: 3,
            },
            { name: 'first', test: /web\/main\.tsx/, priority: 2 },
            { name: 'auth', test: /(auth-form|use-auth-flow|use-lightweight-form)\.tsx?$/, priority: 1 },
            { name: 'member', test: /(home-screen|member-layout)\.tsx/, priority: 1 },
            // One file, instead of a file and an address in the first page for each icon that two screens share.
            { name: 'icons', test: /node_modules\/lucide-react\/dist\/esm\/icons\//, priority: 0 },
            // What screens that load later share, for the same reason.
            {
              name: 'ui',
              test: /web\/(ui\/[\w-]+|forms\/(switch|text-area|select|radio-option|character-counter|use-idempotent-create)|navigation\/use-(go-back|list-dialog-state)|api\/ids|features\/moderation\/(report-reasons|use-report-dialog))\.tsx?/,
              priority: 0,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/v1': { target: api, ws: true }, '/dev': { target: api } },
  },
})
