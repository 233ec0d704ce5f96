/** Builds the web app with a small first page, and serves it during development. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import pLimit from 'p-limit'
import { rolldown } from 'rolldown'
import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite'
import { languageSetsPlugin } from './scripts/languages/language-sets-plugin.ts'
import { translateTextsPlugin } from './scripts/languages/translate-texts.ts'
import { bundledLicencesPlugins } from './scripts/licences/bundled-licences-plugin.ts'

const webRoot = fileURLToPath(new URL('web', import.meta.url))

/** Preloads both Latin fonts, because browsers would otherwise find them late. */
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
 * Builds a script separately and adds it to the head. It must run before the first paint: pages have no inline scripts,
 * and modules would run too late.
 */
function runBeforeFirstPaint(): Plugin {
  const source = 'appearance/before-first-paint.ts'
  let file = ''
  return {
    name: 'run-before-first-paint',
    async generateBundle() {
      const build = await rolldown({ input: join(webRoot, source) })
      const { output } = await build.generate({ format: 'iife', minify: true })
      file = this.getFileName(
        this.emitFile({ type: 'asset', name: 'before-first-paint.js', source: output[0].code }),
      )
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { server }): HtmlTagDescriptor[] => [
        server
          ? { tag: 'script', injectTo: 'head', attrs: { type: 'module', src: `/${source}` } }
          : { tag: 'script', injectTo: 'head-prepend', attrs: { src: `/${file}` } },
      ],
    },
  }
}

/** Emits the fragment that the server puts into Home's page (server/http/home-splash.ts). */
function emitHomeSplash(): Plugin {
  const name = 'home-splash.html'
  return {
    name: 'emit-home-splash',
    apply: 'build',
    generateBundle() {
      const source = readFileSync(join(webRoot, name), 'utf8').replace(/\n\s*/g, '')
      this.emitFile({ type: 'asset', fileName: name, source })
    },
  }
}

/** Compresses text files during the build. The server sends them as `file.br` or `file.gz`. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const files = Object.keys(bundle).filter((name) => /\.(js|css|svg|html|wasm|txt)$/.test(name))
      // As many as libuv has threads. A waiting compressor already holds 250 kB.
      const limit = pLimit(4)
      await Promise.all(files.map((file) => limit(() => writeCompressed(join(dir, file)))))
    },
  }
}

const compressBrotli = promisify<Uint8Array, Uint8Array>(brotliCompress)
const compressGzip = promisify(gzip)

/** Compresses with both methods in parallel, because compression takes most of the build time. */
async function writeCompressed(path: string): Promise<void> {
  const bytes = readFileSync(path)
  const [brotli, gzipped] = await Promise.all([compressBrotli(bytes), compressGzip(bytes, { level: 9 })])
  writeFileSync(`${path}.br`, brotli)
  writeFileSync(`${path}.gz`, gzipped)
}

/**
 * Builds `/sw.js` last and includes the list of the app's files, so that a change to any file results in a new worker.
 */
function buildServiceWorker(): Plugin {
  return {
    name: 'build-service-worker',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const page = readFileSync(join(dir, 'index.html'), 'utf8')
      const named = [...page.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, address = '']) => address)
      const first = new Set(named)
      const add = (file: string) => {
        const chunk = bundle[file]
        if (chunk?.type !== 'chunk' || first.has(`/${file}`)) return
        first.add(`/${file}`)
        for (const next of chunk.imports) add(next)
      }
      for (const file of Object.keys(bundle)) if (/\/(member-frame|background)-/.test(file)) add(file)
      const later = Object.keys(bundle)
        // Excludes the HEIC decoder, which is as large as all other files together and loads on demand.
        .filter((file) => /^assets\/(?!heif-to-jpeg-worker)[^/]*\.(js|css)$/.test(file))
        .map((file) => `/${file}`)
        .filter((address) => !first.has(address))
      const entry = named.find((address) => /\/first-[^.]*\.js$/.test(address))
      if (!entry) throw new Error('The page names no script')
      const version = createHash('sha256')
        .update(page)
        .update(later.toSorted().join())
        .digest('hex')
        .slice(0, 12)
      const parts = { version, entry, first: [...first].filter((file) => !named.includes(file)), later }
      const built = await rolldown({
        input: join(webRoot, 'service-worker/service-worker.ts'),
        transform: { define: { build: JSON.stringify(parts) } },
      })
      const { output } = await built.generate({ format: 'iife', minify: true })
      writeFileSync(join(dir, 'sw.js'), output[0].code)
      await writeCompressed(join(dir, 'sw.js'))
    },
  }
}

/**
 * Chooses which files to preload with a chunk: all dependencies of Home, and for other chunks only the large shared
 * files. Naming the small files too would add 500 bytes to the first page.
 */
const preloadedWith = (part: string, dependencies: string[]): string[] =>
  /\/member-frame-/.test(part)
    ? dependencies
    : dependencies.filter((file) => /\/(ui|queries|rules)-/.test(file))

/** The server that `npm run dev` uses. */
const api = process.env.API_URL ?? 'http://localhost:3001'

const licences = bundledLicencesPlugins()

export default defineConfig({
  root: webRoot,
  plugins: [
    translateTextsPlugin(),
    react(),
    tailwindcss(),
    preloadLatinFonts(),
    runBeforeFirstPaint(),
    emitHomeSplash(),
    precompress(),
    buildServiceWorker(),
    languageSetsPlugin(),
    licences.app,
  ],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: ['chrome111', 'edge111', 'firefox128', 'safari16.4'],
    manifest: true,
    modulePreload: { polyfill: false, resolveDependencies: preloadedWith },
    // Assets are not inlined, because inlined assets would load with every page.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // A short hash of 42 bits, because the first page names every chunk and hashes do not compress.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          // Groups modules that load together, which means fewer requests and better compression.
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|react-router|scheduler)\//, priority: 3 },
            { name: 'query', test: /node_modules\/@tanstack\//, priority: 3 },
            // The limits are separate from `rules`, because `rules` loads with the first page.
            { name: 'limits', test: /contract\/limits\.ts/, priority: 4 },
            {
              name: 'rules',
              test: /node_modules\/zod\/|contract\/(field-schemas|default-validation-messages)\.ts/,
              priority: 3,
            },
            // The language module is in the first chunk, because `rules` and the errors need it too.
            { name: 'first', test: /contract\/language\.ts/, priority: 5 },
            { name: 'first', test: /web\/main\.tsx/, priority: 2 },
            {
              name: 'auth',
              test: /(auth-form-parts|use-auth-flow|use-lightweight-form)\.tsx?$/,
              priority: 1,
            },
            { name: 'auth-error', test: /(auth-error-message|rate-limit-message)\.tsx?$/, priority: 1 },
            // Visitors need this chunk, so it excludes the code that only members share.
            {
              name: 'passkey-prompts',
              test: /features\/account\/passkeys\/passkey-(prompts|support)\.ts|node_modules\/@simplewebauthn\/browser\//,
              priority: 1,
            },
            // Signing out needs this chunk, also on pages for visitors.
            { name: 'drafts', test: /posts\/drafts\/post-draft-database\.ts/, priority: 1 },
            { name: 'member-frame', test: /(home-screen|member-layout)\.tsx/, priority: 1 },
            // The first post needs this chunk after the first paint. It excludes the queries of other screens.
            {
              name: 'deferred-post-parts',
              test: /posts\/(deferred-post-parts|like-and-save-mutations)\.ts/,
              priority: 1,
            },
            // All icons are in one file. Otherwise every shared icon would become its own chunk.
            { name: 'icons', test: /node_modules\/lucide-react\/dist\/esm\/icons\//, priority: 0 },
            // The code that runs in the background of every page.
            {
              name: 'background',
              test: /web\/(layout\/(background-tasks-and-overlays|live-updates|pull-to-refresh|sign-out-question)|realtime\/[\w-]+|features\/(chat\/(unread-conversations-badge|messages\/use-message-outbox)|posts\/new-posts-notice))\.tsx?/,
              priority: 0,
            },
            // Code that later screens share. One chunk avoids many small files.
            {
              name: 'ui',
              test: /web\/(ui\/[\w-]+|forms\/(switch|text-area|select|radio-option|segmented-radio|character-counter|use-idempotent-create)|navigation\/use-(go-back|list-dialog-state|search-term)|api\/ids|features\/(moderation\/(report-reasons|use-report-dialog|refusal-alert)|people\/(blocks\/blocked-author-post-cover|follow-requests\/follow-requests-link|people-list-dialog)|chat\/(chat-button|messages\/message-grouping)|posts\/(post-unavailable-notices|paginated-post-grid)|groups\/(group-unavailable-notice|join-group-button)|posts\/photos\/(whole-photo-link|photo-[\w-]+)))\.tsx?/,
              priority: 0,
            },
            {
              name: 'queries',
              test: /web\/features\/[\w-]+\/(?:(?:passkeys|settings|blocks|mutes-and-restrictions|follow-requests|privacy|topics|push|message-requests)\/)?(([\w-]+-)?(queries|mutations)|use-start-chat|group-cache|use-live-group-updates|purge-member-from-cache|messages\/use-message-outbox)\.ts/,
              priority: 0,
            },
          ],
        },
      },
    },
  },
  worker: {
    format: 'iife',
    plugins: () => [licences.worker],
    rolldownOptions: { output: { entryFileNames: 'assets/[name]-[hash:7].js' } },
  },
  server: {
    proxy: { '/v1': { target: api, ws: true }, '/dev': { target: api } },
  },
})
