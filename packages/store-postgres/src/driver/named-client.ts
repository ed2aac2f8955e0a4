import { randomUUID } from 'node:crypto';
import { Client, type ClientConfig } from 'pg';

/** A connection with a name that no other has. The server tells it, and poolers pass it on, which give processes numbers of their own. */
export class NamedClient extends Client {
  /** As `application_name` holds it, unless the URL names another. */
  readonly connectionName: string;

  constructor(config?: ClientConfig) {
    const connectionName = `ctx ${randomUUID()}`;
    super({ ...config, application_name: connectionName });
    this.connectionName = connectionName;
  }
}

/** The name of a connection; '' where it has none of its own. */
export function connectionName(client: object): string {
  return client instanceof NamedClient ? client.connectionName : '';
}
