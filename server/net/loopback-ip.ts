import type { IncomingMessage } from 'node:http'

export const isLoopbackIp = (ip: string): boolean => /^(127\.|::1$|::ffff:127\.)/.test(ip)

const forwardingHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']

/** A request with a forwarding header may come from anyone, through a local proxy. */
export const isLocalRequest = (request: Pick<IncomingMessage, 'socket' | 'headers'>): boolean =>
  isLoopbackIp(request.socket.remoteAddress ?? '') &&
  forwardingHeaders.every((header) => request.headers[header] === undefined)
