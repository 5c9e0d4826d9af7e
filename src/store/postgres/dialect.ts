import {
  PostgresDialect,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { asPostgresUnavailable } from './unavailable.js';

/** PostgreSQL for Kysely. Tells errors of an unreachable server from those of a wrong query. */
export class CleanPostgresDialect extends PostgresDialect {
  override createDriver(): Driver {
    return new CleanDriver(super.createDriver());
  }
}

class CleanDriver implements Driver {
  private readonly connections = new WeakMap<DatabaseConnection, DatabaseConnection>();

  constructor(private readonly driver: Driver) {}

  init(): Promise<void> {
    return clean(this.driver.init());
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await clean(this.driver.acquireConnection());
    const wrapped = new CleanConnection(connection);
    this.connections.set(wrapped, connection);
    return wrapped;
  }

  beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    return clean(this.driver.beginTransaction(this.own(connection), settings));
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return clean(this.driver.commitTransaction(this.own(connection)));
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return clean(this.driver.rollbackTransaction(this.own(connection)));
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return this.driver.releaseConnection(this.own(connection));
  }

  destroy(): Promise<void> {
    return this.driver.destroy();
  }

  private own(connection: DatabaseConnection): DatabaseConnection {
    return this.connections.get(connection) ?? connection;
  }
}

class CleanConnection implements DatabaseConnection {
  constructor(private readonly connection: DatabaseConnection) {}

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return clean(this.connection.executeQuery<R>(query));
  }

  streamQuery<R>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<R>> {
    return this.connection.streamQuery<R>(query, chunkSize ?? 100);
  }
}

async function clean<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw asPostgresUnavailable(error);
  }
}
