import { type ContextStore, defaultAgentId, matchHeading, type OutputHit } from '@ctx/store';
import { pointerUri } from '@ctx/truncation';
import * as z from 'zod';
import { recallText, rememberText } from '../context-manager/memory/memory-texts.ts';
import {
  factsText,
  recallFacts,
  recallSchema,
  rememberedText,
  rememberFact,
  rememberSchema,
} from '../context-manager/memory/memory-tools.ts';
import type { MarkedMedia } from '../read-back/mark-media.ts';
import { readOutputSchema, searchOutputsSchema } from '../read-back/read-back-schemas.ts';
import { readBackTexts } from '../read-back/read-back-tools.ts';
import { readOutput } from '../read-back/read-output.ts';
import { excerptOf, findOutputs, hitLines } from '../read-back/search-outputs.ts';
import { answerSchemas } from './answer-schemas.ts';
import type { ListedResource } from './host-types.ts';
import { linkOf } from './read-resource.ts';
import { sessionStatus } from './session-status.ts';

/** What one connection may see and do. None of it comes from arguments of a call. */
export interface ContextScope {
  readonly store: ContextStore;
  /** Only outputs of this session; left out: all sessions of the tenant can be read, and nothing be saved. */
  readonly sessionId?: string;
  /** Whose facts these are, such as `coder` or `@user/ada`. Default `default`. */
  readonly agentId?: string;
  /** Whether facts and outputs may be added. Default true. */
  readonly canWrite?: boolean;
}

/** What a tool found. */
export interface ContextAnswer {
  readonly text: string;
  /** The same as data. */
  readonly data: Record<string, unknown>;
  readonly links?: readonly ListedResource[];
  /** Pictures and documents that the text names. */
  readonly media?: readonly MarkedMedia[];
}

/** A tool that a server offers. */
export interface ContextTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
  /** By which the arguments are checked. */
  readonly schema: z.ZodType;
  /** Of what it answers as data. */
  readonly answerSchema: z.ZodType;
  readonly reads: boolean;
  /** @throws `ZodError` for wrong arguments, the codes of the store. */
  readonly run: (args: unknown) => Promise<ContextAnswer>;
}

interface ToolParts<Args> {
  readonly schema: z.ZodType<Args>;
  readonly answerSchema: z.ZodType;
  readonly run: (args: Args) => Promise<ContextAnswer>;
}

type ToolText = Pick<ContextTool, 'name' | 'title' | 'description' | 'reads'>;

function toolOf<Args>(text: ToolText, parts: ToolParts<Args>): ContextTool {
  const { schema, answerSchema, run } = parts;
  return {
    ...{ ...text, schema, answerSchema },
    inputSchema: z.toJSONSchema(schema, { io: 'input' }),
    run: async (args) => run(schema.parse(args)),
  };
}

function toldHit(hit: OutputHit, note: string | undefined): Record<string, unknown> {
  const { id, toolDescription: call, tokens, lines } = hit.pointer;
  const told = { pointer: pointerUri(id), call, tokens, lines, excerpt: excerptOf(hit) };
  return note === undefined ? told : { ...told, note };
}

const noArguments = z.strictObject({});

const saveSchema = z.strictObject({
  name: z.string().trim().min(1).max(200).describe('What it came from, such as a tool'),
  text: z.string().min(1).max(4_000_000),
});

function readTools({ store, sessionId }: ContextScope): ContextTool[] {
  return [
    toolOf(
      {
        name: 'ctx_read_output',
        title: 'Read a stored output',
        description: readBackTexts.read,
        reads: true,
      },
      {
        schema: readOutputSchema,
        answerSchema: answerSchemas.read,
        run: async (args) => {
          const { text, media } = await readOutput(store, args, sessionId);
          const files = media.map(({ mark, mediaType }) => ({ mark, mediaType }));
          return { text, data: { text, files }, media };
        },
      },
    ),
    toolOf(
      {
        name: 'ctx_search_outputs',
        title: 'Search stored outputs',
        description: readBackTexts.search,
        reads: true,
      },
      {
        schema: searchOutputsSchema,
        answerSchema: answerSchemas.search,
        run: async (args) => {
          const found = await findOutputs(store, args, sessionId);
          const links = found.hits.map(({ pointer }) => linkOf(pointer));
          const hits = found.hits.map((hit, at) => toldHit(hit, matchHeading(found.hits, at)));
          return { text: hitLines(found, store.unsearched()), data: { hits }, links };
        },
      },
    ),
  ];
}

function statusTool({ store, sessionId }: ContextScope): ContextTool {
  return toolOf(
    {
      name: 'ctx_status',
      title: 'Status',
      description: 'Says what is stored of the session.',
      reads: true,
    },
    {
      schema: noArguments,
      answerSchema: answerSchemas.status,
      run: () => sessionStatus(store, sessionId),
    },
  );
}

function recallTool(scope: ContextScope): ContextTool {
  const host = { agentId: defaultAgentId, ...scope };
  return toolOf(
    { name: 'ctx_recall', title: 'Recall facts', description: recallText, reads: true },
    {
      schema: recallSchema,
      answerSchema: answerSchemas.recall,
      run: async (args) => {
        const facts = await recallFacts(host, args);
        return { text: factsText(facts), data: { facts } };
      },
    },
  );
}

function writeTools(scope: ContextScope): ContextTool[] {
  const host = { agentId: defaultAgentId, ...scope };
  const remember = toolOf(
    { name: 'ctx_remember', title: 'Remember a fact', description: rememberText, reads: false },
    {
      schema: rememberSchema,
      answerSchema: answerSchemas.remember,
      run: async (args) => {
        const isNew = await rememberFact(host, args);
        return { text: rememberedText(isNew), data: { isNew } };
      },
    },
  );
  const { sessionId, store } = scope;
  if (sessionId === undefined) return [remember];
  const save = toolOf(
    {
      name: 'ctx_save_output',
      title: 'Save a text',
      description: 'Stores a long text, so that a pointer to it is enough in the conversation.',
      reads: false,
    },
    {
      schema: saveSchema,
      answerSchema: answerSchemas.save,
      run: async ({ name, text }) => {
        const { pointer } = await store.outputs.save({
          ...{ sessionId, toolName: name, args: {}, result: text },
        });
        const uri = pointerUri(pointer.id);
        return { text: `Saved as ${uri}`, data: { pointer: uri }, links: [linkOf(pointer)] };
      },
    },
  );
  return [remember, save];
}

/** The tools of a connection: read, search, status, recall; and where it may write: remember, save. */
export function contextTools(scope: ContextScope): readonly ContextTool[] {
  const writing = scope.canWrite === false ? [] : writeTools(scope);
  return [...readTools(scope), statusTool(scope), recallTool(scope), ...writing];
}
