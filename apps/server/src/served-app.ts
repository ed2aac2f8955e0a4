import type { Server } from 'node:http';

/** What is public of the fastify app: its own types would make every user install it. */
export interface ServedApp {
  readonly server: Server;
  /** Such as `http://127.0.0.1:4777`; throws before it listens. */
  readonly listeningOrigin: string;
  listen(options: { readonly host?: string; readonly port?: number }): Promise<string>;
  /** Answers a request without a socket. */
  inject(request: InjectedRequest): Promise<{ readonly statusCode: number; readonly body: string }>;
  close(): Promise<undefined>;
}

/** A request for {@link ServedApp.inject}. */
export interface InjectedRequest {
  readonly url: string;
  /** Default GET. */
  readonly method?: 'DELETE' | 'GET' | 'HEAD' | 'PATCH' | 'POST' | 'PUT';
  readonly headers?: Record<string, string>;
  /** Sent as JSON. */
  readonly payload?: object;
}
