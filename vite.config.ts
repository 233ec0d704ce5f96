import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite'

/** The two Latin fonts are asked for with the page instead of after its stylesheet (design: typography). */
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

/** Packed once here instead of with every answer: the server sends `file.br` or `file.gz` to who accepts it. */
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
  plugins: [react(), tailwindcss(), preloadLatinFonts(), precompress()],
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
        codeSplitting: {
          // What is needed together is packed together: fewer requests, and better compressed (reading W-04).
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|react-router|scheduler)\//, priority: 3 },
            { name: 'query', test: /node_modules\/@tanstack\//, priority: 3 },
            // Apart from the rules, which would come along with it to the first page.
            { name: 'limits', test: /contract\/limits\.ts/, priority: 4 },
            {
              name: 'rules',
              test: /node_modules\/zod\/|contract\/(fields|messages)\.ts/,
              priority: 3,
            },
            { name: 'first', test: /web\/main\.tsx/, priority: 2 },
            { name: 'member', test: /(home-screen|member-layout)\.tsx/, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/v1': { target: api, ws: true }, '/dev': { target: api } },
  },
})
