/** Builds the web app, split and compressed so that the first page stays small, and serves it in development. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { rolldown } from 'rolldown'
import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite'

const webRoot = fileURLToPath(new URL('web', import.meta.url))

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

/** Drops what Tailwind adds for browsers without `@property`, which all of our targets know: 300 bytes of the first page. */
function dropPropertyFallback(): Plugin {
  return {
    name: 'drop-property-fallback',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'asset' && file.fileName.endsWith('.css'))
          file.source = String(file.source).replace(/@layer properties\{@supports[\s\S]*?\}\}\}/, '')
    },
  }
}

/**
 * Adds the script that must run before the first paint, built by itself: the page has no inline script, and a module would run after
 * the paint.
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
          : { tag: 'script', injectTo: 'head', attrs: { src: `/${file}` } },
      ],
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

/**
 * Picks what loads at once with a part that loads later: all that Home needs, and of the other screens the large parts that they
 * share. The browser finds the small rest when the screen has come; their names would stand in the first page, 500 bytes of it.
 */
const preloadedWith = (part: string, dependencies: string[]): string[] =>
  /\/(member|home)-/.test(part)
    ? dependencies
    : dependencies.filter((file) => /\/(ui|queries|rules)-/.test(file))

/** Where `npm run dev` finds the server behind the hot-reloading web. */
const api = process.env.API_URL ?? 'http://localhost:3001'

export default defineConfig({
  root: webRoot,
  plugins: [
    react(),
    tailwindcss(),
    dropUnusedRouterParts(),
    preloadLatinFonts(),
    dropPropertyFallback(),
    runBeforeFirstPaint(),
    precompress(),
  ],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: ['chrome111', 'edge111', 'firefox128', 'safari16.4'],
    manifest: true,
    modulePreload: { polyfill: false, resolveDependencies: preloadedWith },
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
            // What loads behind every page once it stands.
            {
              name: 'background',
              test: /web\/(layout\/(background-tasks|live-updates|pull-to-refresh|log-out-question)|realtime\/[\w-]+|features\/(chat\/(unread-conversations-badge|messages\/use-message-outbox)|posts\/new-posts-notice))\.tsx?/,
              priority: 0,
            },
            // What screens that load later share, for the same reason.
            {
              name: 'ui',
              test: /web\/(ui\/[\w-]+|forms\/(switch|text-area|select|radio-option|segmented-radio|character-counter|use-idempotent-create)|navigation\/use-(go-back|list-dialog-state|search-term)|api\/ids|features\/(moderation\/(report-reasons|use-report-dialog|refusal)|blocks\/blocked-author-post-cover|privacy\/follow-requests-link|chat\/(chat-button|messages\/message-grouping)|people\/people-dialog|posts\/(post-unavailable|paginated-post-grid)|groups\/(group-unavailable-notice|join-button)|posts\/photos\/photo-[\w-]+))\.tsx?/,
              priority: 0,
            },
            {
              name: 'queries',
              test: /web\/features\/[\w-]+\/(([\w-]+-)?(queries|mutations)|group-cache|use-live-groups|purge-member|messages\/use-message-outbox)\.ts/,
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
