import { chown, copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binaryFolder, type RealServer, run, startLocal } from './real-server.ts';

/** A server that speaks TLS, and who signed for it. */
export interface TlsServer {
  readonly server: RealServer;
  /** The certificate of who signed that of the server. */
  readonly authority: string;
  /** The certificate of somebody else. */
  readonly stranger: string;
  readonly stop: () => Promise<void>;
}

/** Makes a certificate that signs itself, and its key beside it. */
async function makeAuthority(folder: string, name: string): Promise<string> {
  const certificate = join(folder, `${name}.pem`);
  const made = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    `/CN=${name}`,
  ];
  await run('openssl', [...made, '-keyout', join(folder, `${name}.key`), '-out', certificate]);
  return certificate;
}

/** Makes a certificate for the name `localhost`, and for no address. */
async function makeServerCertificate(folder: string, authority: string): Promise<void> {
  const [request, key] = [join(folder, 'server.csr'), join(folder, 'server.key')];
  const names = join(folder, 'names');
  await writeFile(names, 'subjectAltName=DNS:localhost\n');
  const asked = ['req', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost'];
  await run('openssl', [...asked, '-keyout', key, '-out', request]);
  const signer = ['-CA', authority, '-CAkey', join(folder, 'authority.key'), '-CAcreateserial'];
  const files = ['-in', request, '-out', join(folder, 'server.pem'), '-extfile', names];
  await run('openssl', ['x509', '-req', '-days', '2', ...signer, ...files]);
}

async function makeServer(folder: string, binaries: string): Promise<RealServer> {
  return startLocal(binaries, async ({ owner, folder: home }) => {
    for (const name of ['server.pem', 'server.key']) {
      const target = join(home, name);
      await copyFile(join(folder, name), target);
      if (owner.uid !== undefined) await chown(target, owner.uid, owner.gid ?? owner.uid);
    }
    return `-c ssl=on -c ssl_cert_file=${home}/server.pem -c ssl_key_file=${home}/server.key`;
  });
}

/** Starts a server with a certificate that a new authority signed; `undefined` where PostgreSQL or openssl is missing. */
export async function tlsServer(): Promise<TlsServer | undefined> {
  const binaries = await binaryFolder();
  if (binaries === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'ctx-tls-'));
  const removed = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const authority = await makeAuthority(folder, 'authority');
    const stranger = await makeAuthority(folder, 'stranger');
    await makeServerCertificate(folder, authority);
    const server = await makeServer(folder, binaries);
    const stop = async (): Promise<void> => {
      await server.stop();
      await removed();
    };
    return { server, authority, stranger, stop };
  } catch (error) {
    await removed();
    if (process.env['CTX_NEEDS_POSTGRES'] === '1') throw error;
    return undefined;
  }
}
