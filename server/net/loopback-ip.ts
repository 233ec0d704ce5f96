/** Recognises addresses of this machine, and requests that come straight from it. */
import type { IncomingMessage } from 'node:http'

export const isLoopbackIp = (ip: string): boolean => /^(127\.|::1$|::ffff:127\.)/.test(ip)

const forwardingHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']

/** One with a forwarding header came through a proxy here and may be anybody's. */
export const isLocalRequest = (request: Pick<IncomingMessage, 'socket' | 'headers'>): boolean =>
  isLoopbackIp(request.socket.remoteAddress ?? '') &&
  forwardingHeaders.every((header) => request.headers[header] === undefined)
