%{
/* Orders, as text. */
#include <stdio.h>
#include "order.h"

#define FAIL(at, why) do { yyerror(at, why); } while (0)

/* Says what is wrong at a place. */
static void yyerror(int at, const char *why) {
  fprintf(stderr, "%d: %s {\n", at, why);
}
%}

%union {
  int number;
  struct order *order;
}
%token <number> NUMBER "a number"
%type <order> order
%left '+' '-'
%precedence ':'

%code requires {
  /* One order, with its lines. */
  struct order { int n_lines; char open; };
}

%%

/* A file: orders, one below another. */
file:
    %empty
  | file order ';'  { keep($2); /* } */ }
  | file error '}'  { yyerrok; }
  ;

// An order with its lines.
order[result]: NAME '{' lines '}' {
      $result = made($1, $3);
      if (!$result) { FAIL(@1, "no \"}\" here"); }
    }
  ;

lines : line | lines ',' line
line  : NUMBER "x" NAME  { $$ = (struct line) { $1, $3 }; }
      | NAME %prec ':'
/* No semicolon above. */
sum.of-lines: /* nothing */ ;

%%

/* Reads a whole file; 0 if all went well. */
int read_orders(FILE *file)
{
  return yyparse(file);
}
