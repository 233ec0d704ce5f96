export type LockedPackage = {
  dev?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}
export type LockedPackages = Record<string, LockedPackage>

/** Vite or rolldown bundles these packages into dist/. The list includes both tools. */
export const buildPackages = [
  '@dnd-kit/core',
  '@dnd-kit/sortable',
  '@dnd-kit/utilities',
  '@hookform/resolvers',
  '@radix-ui/react-toast',
  '@simplewebauthn/browser',
  '@tailwindcss/vite',
  '@tanstack/react-query',
  '@vitejs/plugin-react',
  'idb',
  'libheif-js',
  'linkify-it',
  'lucide-react',
  'react',
  'react-dom',
  'react-dropzone',
  'react-easy-crop',
  'react-hook-form',
  'react-router',
  'rolldown',
  'tailwindcss',
  'uqr',
  'vite',
  'yet-another-react-lightbox',
]

/** @param locked `packages` of package-lock.json @returns paths, for example `node_modules/pg` */
export function findPackagesToRun(locked: LockedPackages): Set<string> {
  const product = locked[''] ?? {}
  const found = new Set<string>()
  const follow = (name: string, from: string) => {
    const path = resolveLocked(locked, name, from)
    if (!path || found.has(path) || name.startsWith('@types/')) return
    found.add(path)
    for (const needed of namesNeeded(locked[path] ?? {})) follow(needed, path)
  }
  for (const name of namesNeeded(product)) if (!buildPackages.includes(name)) follow(name, '')
  return found
}

function namesNeeded({
  dependencies,
  optionalDependencies,
  peerDependencies = {},
  peerDependenciesMeta = {},
}: LockedPackage): string[] {
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)
  return [...Object.keys(dependencies ?? {}), ...Object.keys(optionalDependencies ?? {}), ...peers]
}

/** Looks next to the importing package, then in the folders above, as Node does. */
function resolveLocked(locked: LockedPackages, name: string, from: string): string | null {
  const path = `${from ? `${from}/` : ''}node_modules/${name}`
  if (locked[path]) return path
  if (!from) return null
  return resolveLocked(locked, name, from.split('/node_modules/').slice(0, -1).join('/node_modules/'))
}
