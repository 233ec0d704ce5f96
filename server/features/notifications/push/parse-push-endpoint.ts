/**
 * Says which addresses a browser may be rung at. A client gives the address, so it must be one of a push service: else the server
 * would send requests wherever a client wants them.
 */
import type { Config } from '../../../config.ts'
import { throwFailure } from '../../../errors.ts'

/** The services that browsers subscribe to by themselves: of Chrome, Firefox, Edge and Safari. `*.` stands for any names before. */
const knownHosts = [
  'fcm.googleapis.com',
  '*.push.services.mozilla.com',
  '*.notify.windows.com',
  '*.push.apple.com',
]

/**
 * @throws Failure 400 `push_host_refused` unless it is an https address of a known push service
 * @throws Failure 503 `push_disabled` where nothing is pushed
 */
export function parsePushEndpoint({ pushHosts }: Pick<Config, 'pushHosts'>, endpoint: string): URL {
  if (pushHosts === null) throwFailure('push_disabled')
  const url = URL.parse(endpoint)
  if (
    url === null ||
    url.protocol !== 'https:' ||
    url.username !== '' ||
    url.password !== '' ||
    url.hash !== '' ||
    url.href.length > 1024 ||
    ![...knownHosts, ...pushHosts].some((host) => isOf(url, host))
  ) {
    return throwFailure('push_host_refused', { field: 'endpoint' })
  }
  return url
}

const isOf = (url: URL, host: string) =>
  host.startsWith('*.') ? url.host.endsWith(host.slice(1)) : url.host === host
