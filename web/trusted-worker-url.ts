import heifWorkerUrl from './ui/images/heif/heif-to-jpeg-worker.ts?worker&url'

/** The worker scripts that the page starts. */
const workerUrls = { heif: heifWorkerUrl, service: '/sw.js' }

type WorkerName = keyof typeof workerUrls

type TrustedTypes = {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (name: WorkerName) => string },
  ) => { createScriptURL: (name: WorkerName) => unknown }
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined

/**
 * Returns a worker's address as the page's Content-Security-Policy demands it. The policy may be made once, and lets scripts be loaded
 * from these addresses alone, whatever it is asked for.
 */
export function trustedWorkerUrl(name: WorkerName): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  policy ??= trustedTypes?.createPolicy('juntas-worker', {
    createScriptURL(asked) {
      if (!Object.hasOwn(workerUrls, asked)) throw new TypeError('No worker of Juntas')
      return workerUrls[asked]
    },
  })
  return (policy?.createScriptURL(name) ?? workerUrls[name]) as string
}
