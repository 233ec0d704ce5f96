import heifWorkerUrl from './ui/images/heif/heif-to-jpeg-worker.ts?worker&url'

const workerUrls = { heif: heifWorkerUrl, service: '/sw.js' }

type WorkerName = keyof typeof workerUrls

type TrustedTypes = {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (name: WorkerName) => string },
  ) => { createScriptURL: (name: WorkerName) => unknown }
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined

/** The Content-Security-Policy allows only these URLs, and only one creation of the policy. */
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
