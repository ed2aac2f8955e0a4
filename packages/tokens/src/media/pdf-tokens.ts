import { findModel } from '../models/find-model.ts';
import type { Provider } from '../models/models.ts';
import { imageTokens } from './image-tokens.ts';
import { pdfPages } from './pdf-pages.ts';

/** Options of {@link pdfTokens}. */
export interface PdfTokenOptions {
  readonly model?: string;
  /** Used where the model is not given or not known. */
  readonly provider?: Provider;
  /** Text on a page, tokens, where it is known better. Default 2,250 (Anthropic's 1,500 to 3,000), 0 for Google. */
  readonly textTokensPerPage?: number;
}

/** A page of A4 as providers draw it, 150 dots per inch. */
const page = { width: 1240, height: 1754 };
/** What is assumed where the pages cannot be counted: one per 50 KB. */
const assumedPageBytes = 50_000;

/**
 * Estimates the tokens of a PDF: its pages, each as an image and its text.
 * Never throws, at least one page. An estimate: the text is not read.
 * Source: platform.claude.com, PDF support (text and image of every page); platform.openai.com, PDF files (the same);
 * ai.google.dev, documents (258 a page; Gemini 3: 560 a page; text is not charged). Checked 2026-11-21.
 */
export function pdfTokens(
  pdf: Uint8Array | string | number,
  options: PdfTokenOptions = {},
): number {
  const pages =
    typeof pdf === 'number' ? wholePages(pdf) : (pdfPages(pdf) ?? assumedPages(pdf.length));
  const provider = options.provider ?? providerOf(options.model);
  if (provider === 'google') {
    const perPage = options.model?.includes('gemini-3') === true ? 560 : 258;
    return Math.ceil(pages * (perPage + (options.textTokensPerPage ?? 0)));
  }
  return Math.ceil(pages * (imageTokens(page, options) + (options.textTokensPerPage ?? 2250)));
}

const providerOf = (model: string | undefined): Provider | undefined =>
  model === undefined ? undefined : findModel(model)?.provider;
const wholePages = (pages: number): number =>
  pages >= 1 && pages <= 10_000 ? Math.ceil(pages) : 1;
const assumedPages = (sizeBytes: number): number => wholePages(sizeBytes / assumedPageBytes);
